import { transaction } from '../context.ts'
import { rowsJob } from '../jobs/retry-by-row.ts'
import { mail } from '../mail/outbox.ts'
import { undeliverable } from '../purchases/reads.ts'
import { ofKind } from '../purchases/rules.ts'
import { giveBack } from '../purchases/writes.ts'
import { undoneLetter } from './emails.ts'
import { membership } from './writes.ts'

/** Ends and refunds a membership that was paid for while somebody else made an account with the same email. */
const undoUnwanted = rowsJob({
  name: 'refund memberships that could not begin',
  lane: 'payments',
  everyMinutes: 1,
  due: (world) => undeliverable(world, membership),
  async handle(world, purchase) {
    const { id, stripeSubscription, amount, currency, email, region } = purchase
    await world.payments.endNow(stripeSubscription!, `undo-${id}`)
    await transaction(world, async (world) => {
      await giveBack(world, membership, ofKind(membership, purchase), 'undone')
      const letter = undoneLetter(amount, currency)
      await mail(world, region, email, 'membership undone', letter, { key: `undone ${id}` })
    })
  },
})

export const joiningJobs = [undoUnwanted]
