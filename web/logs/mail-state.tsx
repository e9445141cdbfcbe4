import type { ResendState } from '#contract/logs.ts'

export function MailState({ mail: { state, error } }: { mail: Pick<ResendState, 'state' | 'error'> }) {
  if (state === 'sent') return <span className="text-14 text-ink-soft">Sent</span>
  if (state === 'waiting')
    return (
      <span className="text-14 text-amber-soft-ink">
        {error ? `Trying again: ${reason(error)}` : 'On its way'}
      </span>
    )
  return (
    <span className="text-14 text-red [overflow-wrap:anywhere]">Given up{error && `: ${reason(error)}`}</span>
  )
}

/** The mail server's own words, without the type of failure. */
const reason = (error: string) => error.replace(/^(?:\w+: )+/, '').slice(0, 120)
