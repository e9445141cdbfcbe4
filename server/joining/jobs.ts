import type { Job } from '../jobs/clock.ts'
import { transaction, type World } from '../context.ts'
import { releaseCoupon } from '../coupons/writes.ts'
import { siteOfRegion } from '../env.ts'
import { mail } from '../mail/outbox.ts'
import { paidForNothing } from '../purchases/reads.ts'
import { markRefunded } from '../purchases/writes.ts'
import { undoneLetter } from './emails.ts'
import { membership } from './writes.ts'

const BATCH = 20

/** Ends and refunds a membership that was paid for while somebody else made an account with the same email. */
const undoUnwanted: Job = {
  name: 'refund memberships that could not begin',
  lane: 'payments',
  everyMinutes: 1,
  async run(world) {
    const { payments, log } = world
    for (const {
      id,
      stripeSubscription,
      stripeIntent,
      amount,
      currency,
      email,
      region,
    } of await paidForNothing(world, membership, BATCH))
      try {
        await payments.endNow(stripeSubscription!, `undo-${id}`)
        const back = stripeIntent === null ? null : await refundRest(world, id, stripeIntent, amount)
        if (back?.state === 'refused') {
          log.error({ event: 'membership not refunded', purchase: id, message: back.message })
          continue
        }
        await transaction(world, async (world) => {
          await markRefunded(world, id)
          await releaseCoupon(world, id)
          const site = siteOfRegion(world, region)
          const letter = undoneLetter(site, amount, currency)
          await mail(world, site, email, 'membership undone', letter, `undone ${id}`)
        })
      } catch (err) {
        log.warn({ event: 'membership not refunded yet', purchase: id, err })
      }
    return 0
  },
}

/** Refunds what is left: an admin may have refunded a part, or an earlier refund's answer was lost. */
async function refundRest({ payments }: World, id: number, intent: string, amount: number) {
  const gone = (await payments.refundsOf(intent))
    .filter(({ failed }) => !failed)
    .reduce((sum, one) => sum + one.amount, 0)
  const left = amount - gone
  if (left <= 0) return null
  return payments.refund({ intent, amount: left, why: 'email', refund: 0 }, `undo-${id}-refund-${left}`)
}

export const joiningJobs = [undoUnwanted]
