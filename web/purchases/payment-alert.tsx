import { type ReactNode, useEffect, useRef } from 'react'

/** Says why a purchase stopped, and scrolls the buyer there. */
export function PaymentAlert({ of, children }: { of: unknown; children: ReactNode }) {
  const said = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!of) return
    said.current?.focus()
    said.current?.scrollIntoView({ block: 'center' })
  }, [of])
  return (
    <div ref={said} role="alert" tabIndex={-1} className="rounded-card outline-none empty:hidden">
      {children}
    </div>
  )
}
