import type { ReactNode } from 'react'
import { Card } from '../ui/card.tsx'

/** Replaces the form when there is nothing to fill in. */
export const FormReplacement = ({
  title,
  children,
  act,
}: {
  title: string
  children: ReactNode
  act: ReactNode
}) => (
  <Card className="stack max-w-[592px] gap-5">
    <div className="stack gap-2">
      <h2 className="t22">{title}</h2>
      <p className="text-ink-soft">{children}</p>
    </div>
    <div className="flex flex-wrap gap-3">{act}</div>
  </Card>
)
