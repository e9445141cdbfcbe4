import { useState, type ReactNode } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import { isDay } from '#contract/fields.ts'
import type { Person, PersonsMembership } from '#contract/people.ts'
import { money } from '#contract/regions.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { brandName } from '../payments/card-rules.ts'
import { day } from '../lib/dates.ts'
import { nameOf } from './person-words.ts'
import { useCancelForPerson } from './queries.ts'
import { Nothing, Section } from '../ui/section.tsx'

const STATES = {
  active: { tone: 'green', icon: 'check', said: 'Active' },
  unpaid: { tone: 'amber', icon: 'triangle-alert', said: 'Payment failed' },
  ending: { tone: 'amber', icon: 'clock', said: 'Ends' },
  ended: { tone: 'quiet', icon: 'x', said: 'Ended' },
} as const

/** Memberships, the latest first. Admins cancel them here for owners who ask by mail. */
export function PersonMembership({ person }: { person: Person }) {
  const [cancelled, cancel] = useState<PersonsMembership>()
  const { memberships, card } = person
  if (memberships.length === 0)
    return (
      <Section title="Membership">
        <Nothing>None.</Nothing>
      </Section>
    )
  return (
    <>
      {memberships.map((one) => {
        const { tone, icon, said } = STATES[one.state]
        const canEnd = one.ours && (one.state === 'active' || one.state === 'unpaid')
        return (
          <Section
            key={one.id}
            title="Membership"
            aside={
              <Badge tone={tone} icon={icon}>
                {said}
              </Badge>
            }
          >
            <div className="stack gap-4 px-5 py-4">
              <dl className="stack gap-2 text-14 tabular-nums">
                <Fact name="Plan">
                  {one.plan === 'annual' ? 'Annual' : 'Monthly'}, {one.pets} of 5 pets
                </Fact>
                {one.state === 'active' && one.until && (
                  <Fact name="Next payment">
                    {money(one.price, one.currency)}, {day(one.until)}
                  </Fact>
                )}
                {one.state !== 'active' && one.until && (
                  <Fact name={one.state === 'unpaid' ? 'Can be paid until' : said}>{day(one.until)}</Fact>
                )}
                {card && one.ours && one.state !== 'ended' && (
                  <Fact name="Card">
                    {brandName(card.brand)} ending in {card.last4}
                  </Fact>
                )}
              </dl>
              {canEnd && (
                <div className="stack justify-items-start gap-2">
                  <Button size={36} onClick={() => cancel(one)}>
                    Cancel for them
                  </Button>
                  <p className="text-14 text-ink-soft">
                    For owners who ask by email. {endSaid(one)} and isn’t renewed.
                  </p>
                </div>
              )}
              {!one.ours && one.state !== 'ended' && (
                <p className="text-14 text-ink-soft">The partner who sold it can change it.</p>
              )}
            </div>
          </Section>
        )
      })}
      {cancelled && <CancelDialog person={person} membership={cancelled} onClose={() => cancel(undefined)} />}
    </>
  )
}

const endSaid = ({ state, until }: PersonsMembership) =>
  state === 'unpaid' || !until ? 'It ends now, because its period is unpaid,' : `It runs to ${day(until)}`

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex justify-between gap-4">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="text-right">{children}</dd>
  </div>
)

/** Asks once, names the person and the end, and records the day of their mail as the reason. */
function CancelDialog({
  person,
  membership,
  onClose,
}: {
  person: Person
  membership: PersonsMembership
  onClose: () => void
}) {
  const cancel = useCancelForPerson()
  const name = nameOf(person)
  const form = useForm<{ mailed_on: string }>({
    rules: ({ mailed_on }) => ({
      mailed_on: !isDay(mailed_on) && sentenceOf('MAILED_IN_FUTURE'),
    }),
    defaults: { mailed_on: '' },
  })
  return (
    <FormDialog
      small
      title={`Cancel ${name}’s membership?`}
      form={form}
      does="Cancel their membership"
      doing="Cancelling…"
      danger
      keeps="Keep it"
      onClose={onClose}
      onSubmit={async ({ mailed_on }) => {
        const { end } = await cancel({ id: person.id, subscription: membership.id, mailed_on })
        return end ? `${name}’s membership ends on ${day(end)}.` : `${name}’s membership is cancelled.`
      }}
    >
      <p>
        {endSaid(membership)} and isn’t renewed. PawCare ends with it. We’ll email {name} to say so, and they
        can restart it while it runs.
      </p>
      <DateField
        label="Day of their email"
        help="Day, month, year. It’s kept as the reason, and they can see it."
        {...form.control('mailed_on')}
      />
    </FormDialog>
  )
}
