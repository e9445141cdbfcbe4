import { useState } from 'react'
import type { Content, Words } from '#contract/content.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Rows, Section } from '../ui/section.tsx'
import { labelOf, markSaid, reviewSaid } from './content-words.ts'
import { Changed } from './side-by-side.tsx'

const said = (value: Words[string] | undefined) =>
  value === true ? 'Yes' : value === false ? 'No' : String(value ?? '')

/** Every version with who, when and what. None is ever deleted. */
export function Versions({ content, onUse }: { content: Content; onUse: (words: Words) => void }) {
  const [compared, compare] = useState<number>()
  const { kind, versions, live, version } = content
  return (
    <Section title="Versions" said={versions.length > 0 && `${versions.length}, all kept for good`}>
      <Rows of={versions} none={live ? 'Unchanged so far.' : 'Nothing published yet.'}>
        {({ number, mark, what, words, reviewed }) => (
          <li key={number} className="stack gap-3 px-5 py-3">
            <div className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[2rem_minmax(0,1fr)_minmax(0,1fr)_auto]">
              <b className="font-semi text-ink-soft tabular-nums">{number}</b>
              <span className="flex flex-wrap items-center gap-2 tabular-nums">
                {markSaid(mark)}
                {number === version && words && <Badge tone="green">Live</Badge>}
              </span>
              <span className="text-ink-soft">
                {what}
                {reviewed && <span className="block text-14">Reviewed by {reviewSaid(reviewed)}</span>}
              </span>
              <span className="flex gap-2">
                {number !== version && words && live && (
                  <Button
                    size={36}
                    aria-expanded={compared === number}
                    aria-label={`Compare version ${number}`}
                    onClick={() => compare(compared === number ? undefined : number)}
                  >
                    Compare
                  </Button>
                )}
                {number !== version && words && (
                  <Button size={36} aria-label={`Use again: version ${number}`} onClick={() => onUse(words)}>
                    Use again
                  </Button>
                )}
              </span>
            </div>
            {compared === number && words && live && (
              <dl className="stack gap-2 rounded-small bg-paper-sunk p-4">
                {Object.keys(live)
                  .filter((name) => live[name] !== words[name])
                  .map((name) => (
                    <div key={name}>
                      <dt className="text-14 text-ink-soft">{labelOf(kind, name)}, from then to now</dt>
                      <dd className="whitespace-pre-line">
                        <Changed before={said(words[name])} after={said(live[name])} />
                      </dd>
                    </div>
                  ))}
              </dl>
            )}
          </li>
        )}
      </Rows>
    </Section>
  )
}
