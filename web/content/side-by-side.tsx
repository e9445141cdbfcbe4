import type { ReactNode } from 'react'
import type { ContentKind } from '#contract/content.ts'
import { Button } from '../ui/button.tsx'
import { labelOf } from './content-words.ts'
import { type Choice, type Difference, type Part, sideBySide } from './merge.ts'

export const BothVersions = ({
  kind,
  by,
  whose,
  all,
  onChoose,
}: {
  kind: ContentKind
  /** Who published the other version, and the label of its button. */
  by: string
  whose: string
  all: Difference[]
  onChoose: (field: string, part: number, choice: Choice) => void
}) => (
  <section aria-labelledby="both" className="stack gap-4 rounded-card border border-line bg-card p-5">
    <h2 id="both" className="t18">
      Both versions
    </h2>
    {all.map(({ field, parts, chosen }) => (
      <div key={field} className="stack gap-2">
        <h3 className="text-14 font-semi text-ink-soft">{labelOf(kind, field)}</h3>
        {parts.map((part, n) =>
          'both' in part ? (
            part.both.trim() && (
              <p key={`both ${part.both}`} className="text-ink-soft">
                {part.both}
              </p>
            )
          ) : (
            <div key={`${part.mine} ${part.theirs}`} className="grid gap-2 sm:grid-cols-2">
              {(['mine', 'theirs'] as const).map((side) => (
                <div
                  key={side}
                  data-chosen={chosen[n] === side || undefined}
                  className="stack content-between gap-3 rounded-small border border-line-strong p-3 data-chosen:border-green data-chosen:bg-green-soft data-chosen:shadow-[0_0_0_1px_var(--color-green)]"
                >
                  <div className="stack gap-1">
                    <span className="text-14 text-ink-soft">
                      {side === 'mine' ? 'Yours' : `Published by ${by}`}
                    </span>
                    <p className="whitespace-pre-line">
                      {part[side].trim() || <span className="text-ink-soft">Nothing here</span>}
                    </p>
                  </div>
                  <div>
                    <Button
                      size={36}
                      aria-pressed={chosen[n] === side}
                      icon={chosen[n] === side ? 'check' : undefined}
                      onClick={() => onChoose(field, n, side)}
                    >
                      {side === 'mine' ? 'Keep mine here' : `Take ${whose} here`}
                    </Button>
                  </div>
                </div>
              ))}
            </div>
          ),
        )}
      </div>
    ))}
  </section>
)

/** Marks in one text what each version has that the other doesn't. */
export const Changed = ({ before, after }: { before: string; after: string }): ReactNode =>
  sideBySide(before, after).map((part: Part) =>
    'both' in part ? (
      <span key={`both ${part.both}`}>{part.both}</span>
    ) : (
      <span key={`${part.mine} ${part.theirs}`}>
        {part.mine && <del className="bg-red-soft text-red-soft-ink">{part.mine}</del>}{' '}
        {part.theirs && <ins className="bg-green-soft text-green-soft-ink no-underline">{part.theirs}</ins>}
      </span>
    ),
  )
