import type { ReactNode } from 'react'

/** Escape closes only the form inside, and nothing around it. */
export const Escapable = ({ onEscape, children }: { onEscape: () => void; children: ReactNode }) => (
  <div
    role="presentation"
    onKeyDown={(event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      onEscape()
    }}
  >
    {children}
  </div>
)
