import type { ComponentProps, ReactNode } from 'react'

/** The border and background of a raised box. `flush` is for rows that reach the edge. */
export const Card = ({ flush, className = '', ...rest }: ComponentProps<'section'> & { flush?: boolean }) => (
  <section
    {...rest}
    className={`rounded-card border border-line bg-card ${flush ? 'divide-y divide-line overflow-clip' : 'p-5 lg:p-6'} ${className}`}
  />
)

/** A card's title with its action on the right. */
export const CardHead = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className="flex min-h-[69px] flex-wrap items-center justify-between gap-3 py-3 pr-3 pl-5 lg:pl-6">
    {children}
    {action}
  </div>
)
