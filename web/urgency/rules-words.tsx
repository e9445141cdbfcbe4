import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { signsOf } from './rules-queries.ts'

const LANGUAGES = [
  ['en', 'English'],
  ['af', 'Afrikaans'],
  ['zu', 'isiZulu'],
] as const

/** Every sign with its words, level, advice and source, for the vet who reviews it. */
export function SignsAndWords({ version }: { version: string }) {
  const [open, setOpen] = useState(false)
  const signs = useQuery({ ...signsOf(version), enabled: open })
  return (
    <details
      className="rounded-card border border-line bg-card text-14"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-12 cursor-pointer content-center px-5 font-semi">Signs and words</summary>
      <div className="border-t border-line px-5 pb-4">
        {signs.data ? (
          signs.data.map((sign) => (
            <details key={sign.id} className="border-b border-line last:border-b-0">
              <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 py-2">
                <span className="font-semi">{sign.says}</span>
                <span className="text-ink-soft">
                  {sign.level}; {sign.only}
                </span>
              </summary>
              <dl className="grid gap-3 pb-4 table:grid-cols-2">
                <Part name="Why">{sign.reason}</Part>
                <Part name="Source">{sign.sources.join(', ') || 'None given'}</Part>
                <Part name="What to do">{sign.advice.join(' ') || 'The general advice'}</Part>
                <Part name="But not with">{sign.except.join('; ') || 'Nothing'}</Part>
                <Part name="And not in a complaint that says">{sign.unless.join('; ') || 'Nothing'}</Part>
                {LANGUAGES.map(([language, name]) => (
                  <Part key={language} name={`${name}, ${sign.words[language].length}`}>
                    {sign.words[language].join('; ') || 'None'}
                  </Part>
                ))}
              </dl>
            </details>
          ))
        ) : (
          <RowsLoading of={signs} what="the signs" />
        )}
      </div>
    </details>
  )
}

const Part = ({ name, children }: { name: string; children: string }) => (
  <div className="min-w-0">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="break-words">{children}</dd>
  </div>
)
