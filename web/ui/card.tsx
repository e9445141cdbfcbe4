import type { ComponentProps, ReactNode, Ref } from 'react'

/** The border and background of a raised box. `flush` is for rows that reach the edge. */
export const Card = ({ flush, className = '', ...rest }: ComponentProps<'section'> & { flush?: boolean }) => (
  <section
    {...rest}
    className={`rounded-card border border-line bg-card ${flush ? 'divide-y divide-line overflow-clip' : 'p-5 lg:p-6'} ${className}`}
  />
)

export const CardHead = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className="flex min-h-[69px] flex-wrap items-center justify-between gap-3 py-3 pr-3 pl-5 lg:pl-6">
    {children}
    {action}
  </div>
)

type ListCardProps = Omit<ComponentProps<typeof Card>, 'title' | 'flush'> & {
  title: string
  titleId: string
  heading?: Ref<HTMLHeadingElement>
  action?: ReactNode
}

/** Rows that reach the edge, below a title. */
export const ListCard = ({ title, titleId, heading, action, children, ...rest }: ListCardProps) => (
  <Card {...rest} flush aria-labelledby={titleId}>
    <CardHead action={action}>
      <h2 id={titleId} ref={heading} tabIndex={heading ? -1 : undefined} className="t22">
        {title}
      </h2>
    </CardHead>
    {children}
  </Card>
)
