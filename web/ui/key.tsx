import type { ReactNode } from 'react'

export const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="inline-grid h-[1.375rem] min-w-[1.375rem] place-items-center whitespace-nowrap rounded-[5px] border border-b-2 border-line bg-card px-1 [font:inherit] text-14 leading-none font-medium text-ink-soft">
    {children}
  </kbd>
)
