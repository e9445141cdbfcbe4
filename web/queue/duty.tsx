import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/accounts.ts'
import { HOUR } from '#contract/time.ts'
import { dayAndTime, time } from '../lib/dates.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Icon } from '../ui/icon.tsx'
import { onDuty, useDuty } from './queries.ts'

/** A night's duty began on another day, but its time alone is clear enough. */
const startSaid = (since: string) =>
  Date.now() - Date.parse(since) < 20 * HOUR ? time(since) : dayAndTime(since)

/** A switch for duty, which shows since when. Its space is reserved before we know. */
export function DutySwitch({ user }: { user: User }) {
  const { show } = useAlert()
  const { since, vets, busy, turn } = useDuty(user, () =>
    show('You’re off duty now. Go back on duty to take cases.', 'info'),
  )
  return (
    <button
      type="button"
      role="switch"
      aria-checked={since !== undefined}
      aria-busy={busy || undefined}
      onClick={() => !busy && turn(since === undefined)}
      className={`${vets ? '' : 'invisible'} group inline-flex min-h-9 items-center gap-2 rounded-full border border-line bg-card px-3 text-14 font-semi whitespace-nowrap hover:border-line-strong focus-visible:rounded-full pointer-coarse:min-h-11`}
    >
      <span className="relative h-[18px] w-[30px] flex-none rounded-full border border-transparent bg-line-strong transition-colors group-aria-checked:bg-green after:absolute after:top-px after:left-px after:size-[14px] after:rounded-full after:border-7 after:border-card after:transition-[translate] group-aria-checked:after:translate-x-3" />
      On duty
      {since && (
        <span className="font-regular text-ink-soft tabular-nums max-sm:sr-only">
          since {startSaid(since)}
        </span>
      )}
    </button>
  )
}

export function OnDuty() {
  const { data: vets } = useQuery(onDuty)
  if (!vets) return null
  if (vets.length === 0) return <p className="text-14 text-ink-soft">Nobody is on duty</p>
  return (
    <details className="group relative text-14 print:hidden">
      <summary className="inline-flex min-h-9 list-none items-center gap-2 rounded-small px-2 whitespace-nowrap text-ink-soft hover:bg-paper-sunk pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <Icon name="users" size={16} />
        {vets.length} on duty
        <Icon name="chevron-down" size={16} className="transition-transform group-open:rotate-180" />
      </summary>
      <ul className="absolute left-0 z-10 mt-1 w-max max-w-[calc(100vw-40px)] min-w-56 divide-y divide-line rounded-card border border-line bg-card px-4 shadow-float group-data-[up]/duty:bottom-full group-data-[up]/duty:mb-1">
        {vets.map(({ id, name, since, cases }) => (
          <li key={id} className="py-2">
            <span className="block font-semi">{name}</span>
            <span className="text-ink-soft tabular-nums">
              {cases === 1 ? '1 case' : `${cases} cases`}, since {startSaid(since)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
