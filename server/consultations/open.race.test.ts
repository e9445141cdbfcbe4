import { and, eq, isNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { reopenConsultation } from '#contract/aftercare.ts'
import { newUserConsultation, payForConsult } from '#contract/checkout.ts'
import { cancelConsultation, MOST_OPEN, startConsultation } from '#contract/consultations.ts'
import { setDuty } from '#contract/queue.ts'
import { consultations, ledger } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { order } from '#test/shop.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

const world = await createWorld()
await (await world.vet()).call(setDuty, { on: true })

type Member = Awaited<ReturnType<TestWorld['member']>>
const start = ({ send, pet }: Member, petIssue: string) =>
  send(startConsultation, { pet_id: pet.id, pet_issue: petIssue, type: 1, agreed: true })
const openOf = (userId: number) =>
  world.db
    .select({ id: consultations.id })
    .from(consultations)
    .where(and(eq(consultations.userId, userId), isNull(consultations.end)))
const MANY = 20
const many = <T>(work: (n: number) => Promise<T>) => atOnce(MANY, (n) => work(n))
const codes = (replies: { status: number; body: { code?: string } }[]) =>
  replies.map(({ status, body }) => (status === 200 ? 'open' : body.code))
const threeOf = (answers: (string | undefined)[]) => {
  expect(answers.filter((one) => one === 'open')).toHaveLength(MOST_OPEN)
  expect(answers.filter((one) => one === 'CONSULTS_OPEN')).toHaveLength(answers.length - MOST_OPEN)
}

it('open consults are limited to three for a member, however many start at the same moment [SAF-4]', async () => {
  const member = await world.member()
  const replies = await many((n) => start(member, `Question ${n}`))
  threeOf(codes(replies))
  const open = await openOf(member.id)
  expect(open).toHaveLength(MOST_OPEN)
  expect(replies.find(({ status }) => status !== 200)).toMatchObject({
    status: 409,
    body: {
      errors: [
        'You already have 3 consults open. Go back to one of them on My account, or cancel one that you no longer need.',
      ],
    },
  })
  // Leaving one makes room for one.
  await member.call(cancelConsultation, open[0]!)
  expect(codes([await start(member, 'Another'), await start(member, 'One more')])).toEqual([
    'open',
    'CONSULTS_OPEN',
  ])
})

it('open consults are limited to three for an owner who buys them without a membership, and a fourth is not charged [SAF-4]', async () => {
  const owner = await world.owner()
  const paid = await many((n) =>
    owner.send(
      payForConsult,
      order({
        card: { token: n % 2 ? 'tok_visa' : `tok_mastercard` },
        consult: 1,
        user: { ...order().user, firstName: `Buyer ${n}` },
      }),
      { 'idempotency-key': `open-${owner.id}-${n}` },
    ),
  )
  threeOf(codes(paid))
  const charged = await world.rows(ledger, { userId: owner.id })
  expect(charged).toHaveLength(MOST_OPEN)
  // A paid consult counts before it begins, and counts once when it has begun.
  const about = { name: 'Rex', pet_species: 3, pet_breed: null, query: 'He limps', consult_type: 1 }
  for (const { body } of paid.filter(({ status }) => status === 200))
    await owner.call(newUserConsultation, {
      purchase: body.purchase,
      customer_id: body.customer.id,
      ...order().user,
      ...about,
    })
  expect(await openOf(owner.id)).toHaveLength(MOST_OPEN)
  const [refused] = codes([await owner.send(payForConsult, order())])
  expect(refused).toBe('CONSULTS_OPEN')
})

it('open consults are limited to three, with those that are reopened [SAF-4, CON-8]', async () => {
  const member = await world.member()
  const vet = await world.vet()
  const at = world.now()
  const ended = await atOnce(5, () =>
    world.consultOf(member, { vetId: vet.id, start: at, vetStart: at, end: at }),
  )
  const replies = await Promise.all([
    ...ended.map(({ id }) => member.send(reopenConsultation, { id, query: 'Worse' })),
    ...Array.from({ length: 5 }, (_, n) => start(member, `New ${n}`)),
  ])
  threeOf(codes(replies))
  expect(await openOf(member.id)).toHaveLength(MOST_OPEN)
})

it("open consults don't count towards anybody else's limit [SAF-4]", async () => {
  const [full, other] = [await world.member(), await world.member()]
  await many((n) => start(full, `Question ${n}`))
  expect((await start(other, 'Mine')).status).toBe(200)
  const guest = await world.nobody.from('10.60.0.1').send(payForConsult, order())
  expect(guest.status).toBe(200)
})
