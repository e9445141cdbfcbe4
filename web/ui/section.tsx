import type { ReactNode, Ref } from 'react'
import { Card } from './card.tsx'
import { useId } from './id.ts'

/** A box with a title, for staff pages. Its rows reach its edge. */
export function Section({
  title,
  said,
  aside,
  heading,
  children,
}: {
  title: string
  /** A count, or a line below the title. */
  said?: ReactNode
  aside?: ReactNode
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}) {
  const id = useId()
  return (
    <Card flush aria-labelledby={id} className="min-w-0">
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-5 py-[10px]">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h2 ref={heading} id={id} tabIndex={-1} className="t18">
            {title}
          </h2>
          {said && <p className="text-14 text-ink-soft">{said}</p>}
        </div>
        {aside}
      </div>
      {children}
    </Card>
  )
}

/** The rows of a section, or a sentence if there are none. */
export const Rows = <Row,>({
  of,
  none,
  children,
}: {
  of: Row[]
  none: string
  children: (row: Row) => ReactNode
}) =>
  of.length === 0 ? (
    <Nothing>{none}</Nothing>
  ) : (
    <ul className="divide-y divide-line">{of.map((row) => children(row))}</ul>
  )

export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="px-5 py-4 text-ink-soft">{children}</p>
)
