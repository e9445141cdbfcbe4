import type { ReactNode } from 'react'
import type { AskedSign, EmergencyCheck } from '#contract/urgency.ts'
import { day } from '../lib/dates.ts'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { Steps } from '../ui/steps.tsx'
import { type Found, GoThere, mapOf } from './open-clinics.tsx'

/** The first tapped sign; undefined if the address was changed to unknown ones. */
export const tapped = (check: EmergencyCheck, signs: readonly string[]) =>
  check.groups.flatMap((group) => group.signs).find(({ id }) => signs.includes(id))

/** What to do once a sign of an emergency was tapped: first the clinic, then the way there. */
export function GoNow({
  sign,
  title,
  clinic,
  found,
  list,
  stacked,
  children,
}: {
  sign: AskedSign
  title: ReactNode
  /** The name of the owner's own clinic. */
  clinic?: string | undefined
  found: Found
  list: ReactNode
  /** In a dialog: one column, under a third-level heading. */
  stacked?: boolean
  children: ReactNode
}) {
  const Heading = stacked ? 'h3' : 'h2'
  const columns =
    'grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:items-start lg:gap-x-12 lg:*:col-start-1'
  return (
    <div className={stacked ? 'stack gap-6' : columns}>
      <section className={`stack gap-5 rounded-panel bg-coral-soft p-5 ${stacked ? '' : 'sm:p-8'}`}>
        <div className="stack gap-2">
          <p className="text-14 font-semi">{say('You tapped “{sign}”', { sign: sign.says })}</p>
          {title}
          <p>{sign.reason}</p>
        </div>
        <div className="stack gap-2">
          <GoThere first={found.clinics?.[0]} />
          {clinic && (
            <p className="text-14">
              {say('Your own clinic may be closed: {look}.', {
                look: (
                  <a
                    href={mapOf(clinic)}
                    target="_blank"
                    rel="noopener"
                    className="inline-flex min-h-11 items-center font-semi text-coral-soft-ink underline underline-offset-4"
                  >
                    {say('look up {clinic}', { clinic })}
                  </a>
                ),
              })}
            </p>
          )}
        </div>
      </section>
      <section aria-labelledby="on-the-way" className="stack gap-4">
        <Heading id="on-the-way" className={stacked ? 't18' : 't22'}>
          {say('On the way')}
        </Heading>
        <Steps steps={sign.advice} />
      </section>
      <div className={stacked ? '' : 'lg:col-start-2! lg:row-span-4 lg:row-start-1'}>{list}</div>
      <div className="stack gap-6">{children}</div>
    </div>
  )
}

/** "Anything else you see?", closed at first: the other signs, as checkboxes of the surrounding form. */
export function MoreSigns({ check, sign }: { check: EmergencyCheck; sign: AskedSign }) {
  const others = check.groups.flatMap(({ signs }) => signs).filter(({ id }) => id !== sign.id)
  return (
    <details className="group rounded-card border border-line bg-card">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-5 py-2 font-semi [&::-webkit-details-marker]:hidden">
        {say('Anything else you see?')}
        <Icon name="chevron-down" className="transition-transform group-open:rotate-180" />
      </summary>
      <ul className="px-5 pb-3">
        {others.map(({ id, says }) => (
          <li key={id}>
            <label className="flex min-h-11 items-center gap-3">
              <input type="checkbox" name="sign" value={id} className="size-5 flex-none accent-green" />
              {says}
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The vet who reviewed these words, or that no vet has yet. */
export const Reviewed = ({ review }: { review: EmergencyCheck['reviewed'] }) => (
  <p className="text-14 text-ink-soft">
    {review
      ? say('Reviewed by {by}, {registration}, on {on}.', { ...review, on: day(review.on) })
      : say('General advice that no vet has reviewed yet. If in doubt, go.')}
  </p>
)
