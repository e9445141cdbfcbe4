import { waitRange } from '../lib/dates.ts'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import type { QueueStatus } from '../consultations/wait.tsx'
import { useRegion } from '../lib/site.ts'
import { Sure } from '../purchases/sure.tsx'
import { say } from '../ui/say.ts'
import type { Bill } from './bill.tsx'

/** Shows the same wait as every other page. Without a vet on duty, it promises nothing. */
export function SureOfConsult({ queue, bill }: { queue: QueueStatus | undefined; bill: Bill }) {
  const { tax, regulator } = useRegion()
  const minutes = queue?.minutes
  const vet = {
    icon: 'shield-check',
    says: say('A vet registered with {regulator}.', { regulator }),
  } as const
  if (bill.pays === 0) return <Sure points={[vet]} isFree />
  return (
    <Sure
      points={[
        {
          icon: 'clock',
          says: (
            <>
              {minutes && <b>{say('A vet should join in {wait}.', { wait: waitRange(minutes) })}</b>}{' '}
              {say('If no vet joins within {minutes} minutes, we refund your {sum} automatically.', {
                minutes: PROMISED_MINUTES,
                sum: bill.says.pays,
              })}
            </>
          ),
        },
        vet,
        {
          icon: 'circle-check',
          says: (
            <>
              <b>{say('One payment.')}</b> {say('{tax} included, nothing renews.', { tax: tax.name })}
            </>
          ),
        },
      ]}
    />
  )
}
