import type { ReactNode, Ref } from 'react'
import { Card } from '../ui/card.tsx'
import { useId } from '../ui/id.ts'

/** A titled box of a person's page, whose rows reach its edge. */
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
    <Card flush aria-labelledby={id}>
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-5 py-[10px]">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h2 ref={heading} id={id} tabIndex={-1} className="t18 outline-none">
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

export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="px-5 py-4 text-ink-soft">{children}</p>
)
