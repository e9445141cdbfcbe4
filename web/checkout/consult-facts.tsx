import type { ReactNode } from 'react'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import type { QueueStatus } from '../consultations/wait.tsx'
import { waitRange } from '../lib/dates.ts'
import { useRegion, useSite } from '../lib/site.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import type { Bill } from './bill.tsx'

/**
 * What a buyer wants to know beside the button that charges. Only facts: other code keeps these promises. The wait is the
 * same as on every other page. Without a vet on duty, it promises nothing.
 */
export function ConsultFacts({ queue, bill }: { queue: QueueStatus | undefined; bill: Bill }) {
  const { tax, regulator } = useRegion()
  const { cardKey } = useSite()
  const minutes = queue?.minutes
  const charges = bill.pays > 0
  return (
    <ul className="stack gap-3 [&_b]:font-semi [&_b]:text-ink">
      {charges && (
        <Fact icon="clock">
          {minutes && <b>{say('A vet should join in {wait}.', { wait: waitRange(minutes) })}</b>}{' '}
          {say('If no vet joins within {minutes} minutes, we refund your {sum} automatically.', {
            minutes: PROMISED_MINUTES,
            sum: bill.says.pays,
          })}
        </Fact>
      )}
      <Fact icon="shield-check">{say('A vet registered with {regulator}.', { regulator })}</Fact>
      {charges && (
        <Fact icon="circle-check">
          <b>{say('One payment.')}</b> {say('{tax} included, nothing renews.', { tax: tax.name })}
        </Fact>
      )}
      {charges && cardKey !== null && (
        <Fact icon="lock">{say('Your card goes straight to Stripe. We never see the number.')}</Fact>
      )}
    </ul>
  )
}

const Fact = ({ icon, children }: { icon: IconName; children: ReactNode }) => (
  <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-3 text-14 leading-5 text-ink-soft">
    <Icon name={icon} className="text-green" />
    <span>{children}</span>
  </li>
)
