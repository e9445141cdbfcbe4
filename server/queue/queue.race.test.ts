import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { readMessages, sendMessageByCall } from '#contract/chat.ts'
import { cancelConsultation, getConsultation, PROMISED_MINUTES } from '#contract/consultations.ts'
import { listDuty, setDuty, takeConsultation } from '#contract/queue.ts'
import { addMinutes } from '#contract/time.ts'
import { confirmMailbox } from '#server/accounts/writes.ts'
import { transaction, type World } from '#server/context.ts'
import { consultations, users } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { createWorld, type TestWorld } from '#test/world.ts'
import { takeDueClinicMails } from '../consultations/clinic-writes.ts'
import { moveVet } from '../consultations/presence-writes.ts'
import { closeQuestionsOf } from '../consultations/question-writes.ts'
import { moveConsultations } from '../consultations/writes.ts'

const world = await createWorld()

const WAITING = sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

it('one of twenty vets who take a consult at the same time gets it, and its owner can no longer leave it [CON-6, CON-11]', async () => {
  const { owner, id } = await world.waiting()
  const vets = await atOnce(20, () => world.vet())
  const [cancelled, ...taken] = await Promise.all([
    owner.send(cancelConsultation, { id }),
    ...vets.map((vet) => vet.send(takeConsultation, { id })),
  ])
  const winners = [cancelled, ...taken].filter(({ status }) => status === 200)
  expect(winners).toHaveLength(1)
  for (const { status } of taken) expect([200, 409]).toContain(status)
  const { messages } = await owner.call(readMessages, { consultation: id })
  expect(messages).toHaveLength(cancelled.status === 200 ? 0 : 1)
})

it('the owner of a consult taken just as it gets late sees either an apology and then the vet, or the vet alone [CON-11]', async () => {
  const vet = await world.vet()
  const cases = await atOnce(8, () =>
    world.waiting({ start: addMinutes(world.now(), -(PROMISED_MINUTES + 1)) }),
  )
  const [taken] = await Promise.all([
    Promise.all(cases.map(({ id }) => vet.send(takeConsultation, { id }))),
    world.runDue(),
    world.runDue(),
  ])
  expect(taken.map(({ status }) => status)).toEqual(cases.map(() => 200))
  for (const { owner, id } of cases) {
    const { messages } = await owner.call(readMessages, { consultation: id })
    const [last, ...before] = messages.map(({ body }) => body).toReversed()
    expect(last).toContain('joined')
    expect(before.length).toBeLessThan(2)
    expect(await world.mailsTo(owner.email)).toHaveLength(before.length)
  }
})

it('messages stored before a silent vet goes off duty come before that news, and later ones are refused [VET-7]', async () => {
  const cases = await atOnce(5, () => world.taken())
  world.advance({ minutes: 4 })
  const said = cases.map(({ vet, id }) =>
    atOnce(10, (at) =>
      vet.send(sendMessageByCall, { consultation: id, client_id: `gone-${id}-${at}`, body: `${at}` }),
    ),
  )
  await Promise.all([world.runDue(), world.runDue()])
  for (const [index, replies] of (await Promise.all(said)).entries()) {
    const { owner, id } = cases[index]!
    const stored = replies.filter(({ status }) => status === 200).map(({ body }) => body.seq)
    for (const { status, body } of replies)
      if (status !== 200) expect(body.code).toBe('CONSULT_NOT_YOURS_TO_ANSWER')
    const { messages } = await owner.call(readMessages, { consultation: id })
    const gone = messages.filter(({ body }) => body.startsWith('Your vet lost'))
    expect(gone.length).toBeLessThan(2)
    for (const { seq } of gone) expect(Math.max(0, ...stored)).toBeLessThan(seq)
    const { consultation } = await owner.call(getConsultation, { id })
    expect(consultation.vet_id === null).toBe(gone.length === 1)
    expect(messages).toHaveLength(1 + stored.length + gone.length)
  }
})

it('a vet who leaves duty while taking cases stays on duty as long as they have one [VET-7]', async () => {
  for (let round = 0; round < 4; round++) {
    const [{ id }, vet] = [await world.waiting(), await world.vet()]
    await Promise.all([
      vet.send(takeConsultation, { id }),
      vet.send(setDuty, { on: false }),
      vet.send(setDuty, { on: false }),
    ])
    const duty = (await vet.call(listDuty, {})).find((one) => one.id === vet.id)
    expect(duty).toMatchObject({ cases: 1 })
  }
})

type Hold = (tx: Pick<World['db'], 'select'>) => Promise<unknown>
const consult =
  (id: number): Hold =>
  async (tx) =>
    tx.select().from(consultations).where(eq(consultations.id, id)).for('no key update')
const person =
  (id: number): Hold =>
  async (tx) =>
    tx.select().from(users).where(eq(users.id, id)).for('no key update')

/** Locks one row, waits until something waits for it, then locks the other, as a batch of messages or the owner's next consult does. */
async function whileHeld({ db }: TestWorld, [one, other]: [Hold, Hold], act: () => Promise<unknown>) {
  const { acting } = await db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '3s'`)
    await one(tx)
    const acting = act()
    await expect.poll(() => db.execute(WAITING)).toMatchObject({ rows: [{ n: 1 }] })
    await other(tx)
    return { acting }
  })
  return acting
}

it('a vet who takes a case or goes to another locks their cases in the order of messages [CON-2, CON-14]', async () => {
  const vet = await world.vet()
  const [first, second, last] = [await world.waiting(), await world.waiting(), await world.waiting()]
  // Taken the other way round, so that the table and its indexes have the first one last.
  for (const { id } of [second, first]) {
    await vet.call(takeConsultation, { id })
    world.advance({ minutes: 1 })
  }
  const move = () => moveVet(world.world, vet.id, second.id)
  await whileHeld(world, [consult(first.id), consult(second.id)], move)
  const take = () => vet.call(takeConsultation, { id: last.id })
  await whileHeld(world, [consult(second.id), consult(last.id)], take)
  const rows = await Promise.all([first, second, last].map(({ id }) => world.rows(consultations, { id })))
  expect(rows.map(([row]) => row!.vetHere)).toEqual([false, false, true])
})

it('two vets who go silent together give their cases back one vet after the other [CON-2, VET-7]', async () => {
  const world = await createWorld()
  const [one, other] = [await world.vet(), await world.vet()]
  const [first, second] = [await world.waiting(), await world.waiting()]
  await one.call(takeConsultation, { id: second.id })
  await other.call(takeConsultation, { id: first.id })
  world.advance({ minutes: 4 })
  await whileHeld(world, [consult(first.id), consult(second.id)], () => world.runDue())
  for (const { id } of [first, second])
    expect(await world.rows(consultations, { id })).toMatchObject([{ vetId: null }])
})

it('what changes several consults locks their owner and then them, in the order of messages [CON-2, CON-12, LOG-14]', async () => {
  const [{ user, consultation: first }, clinic] = [await world.guest(), await world.clinic()]
  const account = await world.person({ email: user.email, emailConfirmedAt: null })
  const last = await world.consultation({ userId: user.id, petId: first.petId! })
  const both: [Hold, Hold] = [consult(first.id), consult(last.id)]
  const acts: [(ctx: World) => Promise<unknown>, [Hold, Hold]][] = [
    [(ctx) => closeQuestionsOf(ctx, user.id), both],
    [(ctx) => takeDueClinicMails(ctx, clinic.id), both],
    [(ctx) => moveConsultations(ctx, [user.id], user.id, []), both],
    [(ctx) => confirmMailbox(ctx, account.id), [person(user.id), consult(last.id)]],
  ]
  for (const [act, holds] of acts) {
    // The table and its indexes have the first one last.
    for (const { id } of [last, first]) {
      world.advance({ minutes: 1 })
      const at = world.now()
      const asked = { start: at, end: at, askedAgainAt: at, clinicId: clinic.id, clinicMailDueAt: at }
      await world.change(consultations, id, asked)
    }
    await whileHeld(world, holds, () => transaction(world.world, act))
  }
  const rows = await world.rows(consultations, { userId: account.id })
  expect(rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([first.id, last.id])
})
