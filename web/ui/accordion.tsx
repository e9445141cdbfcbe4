import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** Questions that open one at a time, without scripts. */
export const Accordion = ({ children }: { children: ReactNode }) => (
  <div className="divide-y divide-line border-y border-line">{children}</div>
)

type QuestionProps = { name: string; question: ReactNode; open?: boolean; children: ReactNode }

/** Questions with the same `name` close each other. */
export const Question = ({ name, question, open, children }: QuestionProps) => (
  <details name={name} open={open} className="group">
    <summary className="flex min-h-16 list-none items-center justify-between gap-4 py-4 t18 hover:text-green [&::-webkit-details-marker]:hidden">
      {question}
      <Icon
        name="chevron-down"
        className="text-green transition-transform duration-(--slow) group-open:rotate-180"
      />
    </summary>
    <div className="max-w-measure pr-8 pb-6 text-ink-soft [&_p+p]:mt-3">{children}</div>
  </details>
)
