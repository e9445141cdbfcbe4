import type { Room } from '#contract/consultations.ts'
import { money } from '#contract/regions.ts'
import { say } from '../ui/say.ts'

/** What becomes of what was paid for this consult alone, in words; nothing for a member. */
export function PaidBack({ paid }: Pick<Room, 'paid'>) {
  if (!paid || paid.why === null) return null
  const sum = money(paid.refunded || paid.amount, paid.currency)
  const because =
    paid.why === 'cancelled'
      ? 'because no vet had joined when you cancelled'
      : paid.why === 'late'
        ? 'because no vet joined in time; this consult costs you nothing'
        : 'as we agreed'
  return (
    <p>
      {say('{strong} {because}. Banks take up to 10 days to show it.', {
        strong: (
          <strong className="font-semi">
            {paid.refunded > 0
              ? say('{sum} went back to your card', { sum })
              : say('Your {sum} is on its way back to your card', { sum })}
          </strong>
        ),
        because,
      })}
    </p>
  )
}
