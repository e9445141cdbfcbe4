import type { Room } from '#contract/consultations.ts'
import { money } from '#contract/regions.ts'
import { say } from '../ui/say.ts'

/** What happens to the payment for this one consult, in words. Nothing for a member. */
export function PaidBack({ paid }: Pick<Room, 'paid'>) {
  if (!paid || paid.why === null) return null
  const isOnItsWay = paid.on_its_way > 0
  const sum = money(isOnItsWay ? paid.on_its_way : paid.refunded, paid.currency)
  const goes = (
    <strong className="font-semi">
      {isOnItsWay
        ? say('Your {sum} is on its way back to your card', { sum })
        : say('{sum} went back to your card', { sum })}
    </strong>
  )
  return (
    <p>
      {paid.why === 'cancelled'
        ? say('{goes} because no vet had joined when you cancelled.', { goes })
        : paid.why === 'late'
          ? say('{goes} because no vet joined in time; this consult costs you nothing.', { goes })
          : say('{goes} as we agreed.', { goes })}{' '}
      {say('Your bank may take up to 10 days to show it.')}
    </p>
  )
}
