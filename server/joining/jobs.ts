import { transaction } from '../context.ts'
import { releaseCoupon } from '../coupons/writes.ts'
import { siteOfRegion } from '../env.ts'
import type { Job } from '../jobs/clock.ts'
import { rowByRow } from '../jobs/retry-by-row.ts'
import { refundUndone } from '../ledger/writes.ts'
import { mail } from '../mail/outbox.ts'
import { undeliverable } from '../purchases/reads.ts'
import { markRefunded } from '../purchases/writes.ts'
import { undoneLetter } from './emails.ts'
import { membership } from './writes.ts'

const NAME = 'refund memberships that could not begin'
const BATCH = 20

/** Ends and refunds a membership that was paid for while somebody else made an account with the same email. */
const undoUnwanted: Job = {
  name: NAME,
  lane: 'payments',
  everyMinutes: 1,
  async run(world) {
    const due = await undeliverable(world, membership, BATCH)
    return rowByRow(world, NAME, due, async (bought) => {
      const { id, stripeSubscription, stripeIntent, amount, currency, email, region } = bought
      await world.payments.endNow(stripeSubscription!, `undo-${id}`)
      await transaction(world, async (world) => {
        if (stripeIntent !== null) await refundUndone(world, stripeIntent)
        await markRefunded(world, id)
        await releaseCoupon(world, id)
        const site = siteOfRegion(world, region)
        const letter = undoneLetter(site, amount, currency)
        await mail(world, site, email, 'membership undone', letter, `undone ${id}`)
      })
    })
  },
}

export const joiningJobs = [undoUnwanted]
