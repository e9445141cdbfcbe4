import type { ReactNode } from 'react'
import type { Room } from '#contract/consultations.ts'
import { money } from '#contract/regions.ts'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'

/** Whether the owner paid for this one consult and got no refund. */
export const isPaidAndKept = ({ paid }: Pick<Room, 'paid'>) =>
  paid !== null && paid.amount > 0 && paid.refunded === 0

export const paidIn = ({ paid }: Pick<Room, 'paid'>) => money(paid!.amount, paid!.currency)

/** Shown before and after an owner cancels a consult that a vet has answered. */
export const NotRefunded = () => (
  <p>
    {say(
      'A vet has already answered, so we can’t refund this automatically. {writeToUs} if it didn’t help, and a person will look into it.',
      { writeToUs: <Link href="/contact">{say('Write to us')}</Link> },
    )}
  </p>
)

/** What happens to the payment for this one consult, in words. Empty for a member. */
export function PaidBack({ paid }: Pick<Room, 'paid'>) {
  if (!paid || paid.why === null) return null
  const isOnItsWay = paid.on_its_way > 0
  const sum = money(isOnItsWay ? paid.on_its_way : paid.refunded, paid.currency)
  const said = { sum: <strong className="font-semi">{sum}</strong> }
  return (
    <p>
      {isOnItsWay ? onItsWay(paid.why, said) : refunded(paid.why, said)}{' '}
      {say('Your bank may take up to 10 days to show it.')}
    </p>
  )
}

type Why = 'cancelled' | 'late' | 'by_us'

const onItsWay = (why: Why, sum: { sum: ReactNode }) =>
  why === 'cancelled'
    ? say('We’re refunding {sum} to your card because no vet had answered when you cancelled.', sum)
    : why === 'late'
      ? say(
          'We’re refunding {sum} to your card because no vet joined in time. This consult costs you nothing.',
          sum,
        )
      : say('We’re refunding {sum} to your card, as we agreed.', sum)

const refunded = (why: Why, sum: { sum: ReactNode }) =>
  why === 'cancelled'
    ? say('We’ve refunded {sum} to your card because no vet had answered when you cancelled.', sum)
    : why === 'late'
      ? say(
          'We’ve refunded {sum} to your card because no vet joined in time. This consult costs you nothing.',
          sum,
        )
      : say('We’ve refunded {sum} to your card, as we agreed.', sum)
