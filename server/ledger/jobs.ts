import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Job } from '../jobs/clock.ts'
import { consultLink } from '../consultations/rules.ts'
import type { World } from '../context.ts'
import { ledger, refunds } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import type { Part } from '../mail/mail-template.ts'
import { mail } from '../mail/outbox.ts'
import { spend } from '../identity/single-use-tokens.ts'
import { restingRows, rowByRow } from '../jobs/retry-by-row.ts'
import { booksLetter, receiptLetter, refundLetter, toConsult } from './emails.ts'
import { booksIn, knownOf, RECEIPT, unmailed, unserved, type LedgerLine } from './reads.ts'
import { againAfter, isUnheard, whatIsWrong } from './rules.ts'
import { bookRefund, bookUnheard, giveBack, stopRefund } from './writes.ts'

const BATCH = 20
const DAY = 86_400_000

/** Whoever paid for a consult that no vet came to gets everything back, without asking. */
const GIVE_BACK = 'give back what was not served'
const giveBackUnserved: Job = {
  name: GIVE_BACK,
  async run(world) {
    const due = await unserved(world, BATCH, restingRows(world, GIVE_BACK))
    return rowByRow(world, GIVE_BACK, due, (one) => giveBack(world, one))
  },
}

/** Keys at the provider live for a day; asked again after that, it might pay back again. */
const KEYS_LIVE = 20 * 3_600_000

/** Refunds that were written down are asked of the provider until it took or refused them. */
const carryOutRefunds: Job = {
  name: 'carry out refunds',
  async run(world) {
    const { db, now, log, payments } = world
    const due = db
      .select({ id: refunds.id })
      .from(refunds)
      .where(lte(refunds.dueAt, now()))
      .orderBy(asc(refunds.dueAt))
      .limit(BATCH)
      .for('update', { skipLocked: true })
    const claimed = await db
      .update(refunds)
      .set({
        attempts: sql`${refunds.attempts} + 1`,
        // Put right below, once it is known how it went.
        dueAt: new Date(now().getTime() + againAfter(0)),
      })
      .where(inArray(refunds.id, due))
      .returning()
    for (const refund of claimed) {
      const { id, chargeId, amount, why, attempts, createdAt } = refund
      try {
        const [charge] = await db
          .select({ intent: ledger.stripeId })
          .from(ledger)
          .where(eq(ledger.id, chargeId))
        const { intent } = charge!
        const isOld = now().getTime() - createdAt.getTime() > KEYS_LIVE
        const known = isOld
          ? (await payments.refundsOf(intent)).find(({ row, failed }) => row === id && !failed)
          : undefined
        const taken = known
          ? { state: 'done' as const, id: known.id }
          : await payments.refund({ intent, amount, why, refund: id }, `refund-${id}`)
        if (taken.state === 'done')
          await bookRefund(world, { id: taken.id, intent, amount, at: now(), row: id })
        else await stopRefund(world, id, taken.message)
      } catch (error) {
        log.warn({ event: 'refund postponed', refund: id, attempts, err: error })
        await db
          .update(refunds)
          .set({ dueAt: new Date(now().getTime() + againAfter(attempts)) })
          .where(and(eq(refunds.id, id), eq(refunds.attempts, attempts)))
      }
    }
    return claimed.length
  },
}

const LINK_LIVES_S = 48 * 3600

/** The link that a guest comes back by; whoever has an account has the room itself. */
function wayBack(world: World, line: LedgerLine): Part[] {
  if (line.consultation === null || line.publicId === null) return []
  const site = siteOfRegion(world, line.region)
  // Each link opens once, and the mail about the purchase may hold one of this very second.
  const after = Math.floor(world.now().getTime() / 1000) + LINK_LIVES_S
  const to = line.isGuest
    ? consultLink(world, site, { customer: line.publicId, consultation: line.consultation }, after)
    : toConsult(site, line.consultation)
  return [{ button: 'Open the consult', to }]
}

/** Rows of the ledger become mails; looked for so far back, since the books of a night find payments of three days. */
const MAILED_WITHIN = 5 * DAY

const MAIL_RECEIPTS = 'mail receipts'
const mailReceipts: Job = {
  name: MAIL_RECEIPTS,
  async run(world) {
    const since = new Date(world.now().getTime() - MAILED_WITHIN)
    const due = await unmailed(world, since, BATCH, restingRows(world, MAIL_RECEIPTS))
    return rowByRow(world, MAIL_RECEIPTS, due, (line) => {
      const [template, letter] =
        line.kind === 'charge' ? (['receipt', receiptLetter] as const) : (['refund', refundLetter] as const)
      const written = letter(line, world.env.legalEntities, wayBack(world, line))
      const site = siteOfRegion(world, line.region)
      return mail(world, site, line.email, template, written, `${RECEIPT}${line.id}`)
    })
  },
}

/** We may hear of what moved at the provider this much later. */
const HEARD_WITHIN = 2 * DAY

/** Older than this, it is not on its way to us any more. */
const LOST_AFTER = 3_600_000

/** Banks may send a refund back, or take a payment back, this much later. */
const LATE_NEWS_WITHIN = 120 * DAY

const lateNews = ({ payments, now }: Pick<World, 'payments' | 'now'>) =>
  payments.lateNews(new Date(now().getTime() - LATE_NEWS_WITHIN))

/** What moved at the provider, and never came to be known here, is booked before the books are looked at. */
async function catchUp(world: World) {
  const now = world.now()
  const moved = await world.payments.movements(
    new Date(now.getTime() - LOOKED_BACK_DAYS * DAY),
    new Date(now.getTime() - LOST_AFTER),
  )
  const all = [...moved, ...(await lateNews(world))]
  const known = await knownOf(world, all)
  const unheard = all.filter((one) => isUnheard(one, known))
  await rowByRow(world, 'catch up with the provider', unheard, (one) => {
    world.log.warn({ event: 'money that nobody told of', id: one.id, kind: one.kind })
    return bookUnheard(world, one)
  })
}

interface Proof {
  says: string
  wrong: string[]
}

/** Whether everything of a span adds up: purchases, charges, what they brought, refunds, and the provider's own list. */
export async function proveBooks(
  world: Pick<World, 'db' | 'now' | 'payments'>,
  days: number,
): Promise<Proof> {
  const now = world.now()
  const from = new Date(now.getTime() - days * DAY)
  const span = await world.payments.movements(
    new Date(from.getTime() - HEARD_WITHIN),
    new Date(now.getTime() + DAY),
  )
  const late = (await lateNews(world)).filter(({ id }) => span.every((one) => one.id !== id))
  const moved = [...span, ...late]
  const books = await booksIn(world, from, new Date(now.getTime() + DAY))
  const wrong = whatIsWrong(books, { moved, known: await knownOf(world, moved) }, from, now)
  const { purchases, lines, refunds } = books
  const counted = `${purchases.length} purchases, ${lines.length} ledger lines, ${refunds.length} refunds and ${moved.length} movements at the provider`
  const since = from.toISOString().slice(0, 16).replace('T', ' ')
  return {
    says: `Checked since ${since} UTC: ${counted}. ${wrong.length === 0 ? 'It all adds up.' : `${wrong.length} don’t add up.`}`,
    wrong,
  }
}

/** Whoever keeps the books hears of them; with a key once. */
export async function mailBooks(
  ctx: Parameters<typeof mail>[0],
  { ledgerEmail, sites }: Pick<World['env'], 'ledgerEmail' | 'sites'>,
  { says, wrong }: Proof,
  key?: string,
) {
  if (ledgerEmail !== undefined)
    await mail(ctx, sites[0]!, ledgerEmail, 'books', booksLetter(wrong, says), key)
}

/** In this hour of the day, UTC. */
const NIGHT = 1
const LOOKED_BACK_DAYS = 3

const proveEachNight: Job = {
  name: 'prove the books',
  everyMinutes: 5,
  async run(world) {
    const { now, env, log } = world
    if (now().getUTCHours() !== NIGHT) return 0
    const night = now().toISOString().slice(0, 10)
    if (!(await spend(world, `books ${night}`, new Date(now().getTime() + 2 * DAY)))) return 0
    const looked = async () => {
      await catchUp(world)
      return proveBooks(world, LOOKED_BACK_DAYS)
    }
    const { says, wrong } = await looked().catch((error: unknown) => {
      log.error({ event: 'books not proven', err: error })
      return { says: 'The books could not be checked.', wrong: ['We couldn’t reach the payment provider.'] }
    })
    if (wrong.length > 0) log.error({ event: 'books do not add up', wrong })
    else log.info({ event: 'books add up' })
    await mailBooks(world, env, { says, wrong }, `books ${night}`)
    return 0
  },
}

export const ledgerJobs = [giveBackUnserved, carryOutRefunds, mailReceipts, proveEachNight]
