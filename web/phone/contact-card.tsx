import type { ReactNode } from 'react'
import { DAYS, type DayContact } from '#contract/clinics.ts'
import type { Output } from '#contract/call.ts'
import type { listPhoneClinics } from '#contract/phone.ts'
import { telOf } from '../lib/tel.ts'

export type PhoneClinic = Output<typeof listPhoneClinics>[number]

const whose = ({ day, holiday }: DayContact) => `${DAYS[day]}’s contact${holiday ? ' (holiday)' : ''}`
const isThere = ({ na, contact }: DayContact) => !na && contact !== ''

/** Whom to call, in one sentence: today's contact, otherwise the next one and why. */
export function contactSays({ today, chain }: PhoneClinic): string {
  if (isThere(today)) return `${whose(today)}: ${[today.vetName, today.contact].filter(Boolean).join(', ')}`
  const next = chain[0]
  const nobody = today.na
    ? `${DAYS[today.day]}’s contact isn’t available.`
    : `No contact is listed for ${DAYS[today.day]}.`
  return next ? `${nobody} Next: ${[next.vetName, next.contact].filter(Boolean).join(', ')}` : `${nobody}`
}

const Number = ({ contact, large }: { contact: string; large?: boolean }) => (
  <a
    href={telOf(contact)}
    className={`inline-block tabular-nums text-ink ${large ? 'py-1 t28 font-bold no-underline hover:underline' : 'text-ink-soft'}`}
  >
    {contact}
  </a>
)

const Place = ({
  place,
  first = false,
  children,
}: {
  place: number
  first?: boolean
  children: ReactNode
}) => (
  <li className="grid grid-cols-[28px_minmax(0,1fr)] items-start gap-x-3 px-5 py-3">
    <span
      aria-hidden="true"
      className={`grid size-7 place-items-center rounded-full text-14 font-semi ${first ? 'bg-green-soft text-green-soft-ink' : 'bg-paper-sunk text-ink-soft'}`}
    >
      {place}
    </span>
    <span className="flex flex-wrap items-baseline gap-x-3 pt-[2px]">{children}</span>
  </li>
)

/** Above the pet on narrow screens, where the card comes after the form. One tap dials. Tab finds it in the card. */
export function ContactStrip({ clinic }: { clinic: PhoneClinic }) {
  const says = contactSays(clinic)
  const number = (isThere(clinic.today) ? clinic.today : clinic.chain[0])?.contact ?? ''
  return (
    <p className="rounded-small bg-green-soft px-4 py-3 text-14 text-green-soft-ink min-[68.75rem]:hidden">
      {says.slice(0, says.length - number.length)}
      {number && (
        <a href={telOf(number)} tabIndex={-1} className="whitespace-nowrap text-inherit tabular-nums">
          {number}
        </a>
      )}
    </p>
  )
}

export function ContactCard({ clinic }: { clinic: PhoneClinic | undefined }) {
  if (!clinic)
    return (
      <aside className="rounded-card border border-line bg-card p-5">
        <h2 className="t18">Who to call</h2>
        <p className="mt-1 text-14 text-ink-soft">Choose the clinic first. Its contact appears here.</p>
      </aside>
    )
  const { today, chain, clinic: name, comments, telephone, minutes } = clinic
  const first = chain[0]
  const awaits = !isThere(today)
  return (
    <aside aria-label={name} className="overflow-clip rounded-card border border-line bg-card">
      <div className="stack gap-1 p-5">
        <h2 className="t18">{whose(today)}</h2>
        <p className="text-14 text-ink-soft">{name}</p>
        {awaits && (
          <p className="mt-2 rounded-small bg-amber-soft px-3 py-2 text-14 text-amber-soft-ink">
            {today.na ? 'Not available' : 'No contact is listed for today'}
            {today.note && `: ${today.note}`}
          </p>
        )}
        {first ? (
          <div className="mt-2">
            <p className="font-semi">
              {first.vetName || 'No name'}
              {awaits && <span className="font-regular text-ink-soft">, {DAYS[first.day]}’s contact</span>}
            </p>
            <Number contact={first.contact} large />
            {first.note && <p className="text-14 text-ink-soft">Note: {first.note}</p>}
          </div>
        ) : (
          <p className="mt-2">None of this week’s contacts can be called.</p>
        )}
      </div>
      {first && (
        <ol className="divide-y divide-line border-t border-line" aria-label="If nobody answers">
          {chain.map((one, at) => (
            <Place key={one.contact} place={at + 1} first={at === 0}>
              <span className="font-semi">{one.vetName || one.contact}</span>
              <span className="ml-auto text-14 text-ink-soft tabular-nums">{minutes} min</span>
              {at > 0 && one.vetName && (
                <span className="w-full">
                  <Number contact={one.contact} />
                </span>
              )}
            </Place>
          ))}
          <Place place={chain.length + 1}>
            <span className="font-semi">You decide</span>
            <span className="w-full text-14 text-ink-soft">Nobody answered</span>
          </Place>
        </ol>
      )}
      {(telephone || comments) && (
        <div className="stack gap-1 border-t border-line px-5 py-4 text-14">
          {telephone && (
            <p>
              Clinic’s own number: <Number contact={telephone} />
            </p>
          )}
          {comments && <p className="text-ink-soft">{comments}</p>}
        </div>
      )}
    </aside>
  )
}
