import { Readable } from 'node:stream'
import { eq, inArray, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { login, me } from '#contract/accounts.ts'
import { sendMessageByCall } from '#contract/chat.ts'
import { getConsultation } from '#contract/consultations.ts'
import { ERRORS } from '#contract/errors.ts'
import { recordPhoneConsultation } from '#contract/phone.ts'
import { changeEmail, deleteAccount } from '#contract/profile.ts'
import { listFollowUps } from '#contract/queue.ts'
import { addDays } from '#contract/time.ts'
import {
  attachments,
  auditLog,
  cards,
  careItems,
  claims,
  consultations,
  contactMessages,
  customers,
  mailedCodes,
  mails,
  ledger,
  messages,
  newsletter,
  clinicalNotes,
  notes,
  pets,
  ratings,
  sessions,
  subscriptions,
  summaries,
  uploads,
  users,
  vetCards,
} from '#server/db/schema.ts'
import { PaymentsOutOfReach, type Payments } from '#server/providers/payments.ts'
import { openSession } from '#server/identity/session.ts'
import { consulted, livedIn } from '#test/full-account.ts'
import { PASSWORD } from '#test/people.ts'
import { phoneCall } from '#test/phone-calls.ts'
import { purchaseOf } from '#test/purchases.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

/** What the provider ended and deleted, and how often it fails first. */
const ended: string[] = []
let hangsUp = 0
const payments = {
  publishableKey: null,
  updateCustomer: async () => {},
  subscription: async (id: string) => ({ id, endedAt: null }),
  endNow: async (id: string) => void ended.push(id),
  async removeCustomer(customer: string) {
    if (customer.startsWith('cus_stuck')) throw new Error('The provider refuses it')
    if (hangsUp-- > 0) throw new PaymentsOutOfReach('away')
    ended.push(customer)
  },
} as unknown as Payments

const world = await createWorld({ payments })

type Person = Awaited<ReturnType<TestWorld['owner']>>

const userRow = async (id: number) => (await world.rows(users, { id }))[0]!
const leave = (owner: Person, password = PASSWORD) => owner.send(deleteAccount, { password })

it('deleting an account needs the password [PRO-5]', async () => {
  const owner = await world.owner()
  const reply = await leave(owner, 'Wrong0ne')
  expect(reply.body.fields).toEqual({ password: ERRORS.CURRENT_PASSWORD_WRONG.message })
  expect((await owner.send(me)).status).toBe(200)
})

it('deleting an account waits for a consultation that is open [PRO-5]', async () => {
  const owner = await world.owner()
  const pet = await world.pet(owner.id)
  const { id } = await world.consultation({ userId: owner.id, petId: pet.id })
  const reply = await leave(owner)
  expect([reply.status, reply.body.errors]).toEqual([409, [ERRORS.CONSULT_STILL_OPEN.message]])
  expect((await owner.send(me)).status).toBe(200)
  await world.change(consultations, id, { end: world.now() })
  expect((await leave(owner)).status).toBe(200)
})

it('deleting an account erases people who never had a consultation straight away, and their address is free [PRO-5]', async () => {
  const owner = await livedIn(world)
  const { email, id } = owner
  await owner.call(changeEmail, { email: `next${id}@example.com`, password: PASSWORD })
  await world.runDue()
  expect((await leave(owner)).text).toBe('{}')
  expect((await owner.send(me)).status).toBe(401)
  expect((await world.nobody.send(login, { email, password: PASSWORD })).status).toBe(401)
  const row = await userRow(id)
  expect(row).toMatchObject({ firstName: '', lastName: '', mobile: '', address: '', postcode: '' })
  expect(row).toMatchObject({ userClinic: '', passwordHash: null, notifications: {} })
  expect(row.deletedAt).not.toBeNull()
  const [pet] = await world.rows(pets, { id: owner.milo.id })
  expect(pet).toMatchObject({ name: 'Forgotten', dob: null, microchip: '', uploadId: null })
  expect(await world.rows(careItems, { petId: owner.milo.id })).toEqual([])
  expect(await world.rows(cards, { userId: id })).toEqual([])
  expect(await world.rows(mailedCodes, { userId: id })).toEqual([])
  expect(await world.rows(newsletter, { email })).toEqual([])
  expect(await world.rows(contactMessages, { email })).toEqual([])
  const open = await world.rows(sessions, { userId: id })
  expect(open.filter(({ endedAt }) => endedAt === null)).toEqual([])
  const [letter] = await world.mailsTo(email)
  expect(letter!.subject).toBe('Your VetChat account has been deleted')
  expect(letter!.text).toContain('we keep nothing about you or your pets')
  const again = await world.owner({ email })
  expect((await again.call(me, {})).email).toBe(email)

  await world.pass({ days: 2 })
  expect(await world.rows(uploads, { id: owner.upload.id })).toEqual([])
  expect(await rowsSaying(email)).toEqual(['users'])
})

it('deleting an account leaves neither unsent mails nor an email in purchases [PRO-5]', async () => {
  const owner = await world.owner()
  const { email, id } = owner
  const mail = {
    region: 'za' as const,
    to: email,
    subject: 'Hello Thandi',
    text: 'x',
    html: 'x',
    dueAt: world.now(),
  }
  await world.db.insert(mails).values([
    {
      ...mail,
      messageId: `failed${id}`,
      template: 'care reminder',
      failedAt: world.now(),
      error: `550 <${email}> unknown`,
      createdAt: world.now(),
    },
    { ...mail, messageId: `waits${id}`, template: 'care reminder', createdAt: world.now() },
  ])
  const paid = { kind: 'pet', userId: id, email, paidAt: world.now(), deliveredAt: world.now() } as const
  await purchaseOf(world, { ...paid, state: 'refused', amount: 200_000 })
  await purchaseOf(world, { ...paid, state: 'delivered', amount: 0 })
  await purchaseOf(world, { ...paid, state: 'delivered', amount: 200_000 })
  const pet = await world.pet(id)
  const upload = await world.add(uploads, { name: `bill${id}`, type: 'invoice', bytes: 1 })
  const now = world.now()
  const membership = await world.partnersMembership(id, { status: 'canceled', end: now, endedAt: now })
  const claim = await world.add(claims, {
    petId: pet.id,
    subscriptionId: membership.id,
    incident: 'snake',
    happenedOn: '2026-01-01',
    amount: 9,
    currency: 'zar',
    wouldPay: 0,
    uploadId: upload.id,
    state: 'decided',
    paid: 0,
    decision: 'The snake was a toy.',
    decidedAt: now,
    decidedBy: (await world.admin()).id,
  })
  await world.add(mails, {
    ...mail,
    messageId: `claim${id}`,
    key: `claim ${claim.id}`,
    template: 'claim',
    to: 'insurer@example.com',
    text: `Owner: Thandi Mokoena, ${email}`,
    sentAt: world.now(),
  })
  expect((await leave(owner)).text).toBe('{}')
  const letters = await world.mailsTo(email)
  expect(letters.map(({ template }) => template)).toEqual(['account deleted'])
  await world.pass({ days: 2 })
  expect(await rowsSaying(email)).toEqual([])
})

it('deleting an account keeps clinical records for three years after the last consultation, then erases them [PRO-5]', async () => {
  const owner = await livedIn(world)
  const { email, id } = owner
  const consultation = await consulted(world, owner, addDays(world.now(), -30))
  const money = { amount: 450_00, currency: 'zar', region: 'za' } as const
  const receipt = {
    kind: 'charge',
    what: 'consult',
    stripeId: 'pi_said',
    at: world.now(),
    userId: id,
  } as const
  const { id: purchaseId } = await purchaseOf(world, {
    state: 'delivered',
    deliveredAt: world.now(),
    paidAt: world.now(),
    userId: id,
    ...money,
  })
  await world.add(ledger, { ...receipt, ...money, purchaseId, said: { payer: 'Thandi', pet: 'Bella' } })
  const guest = world.nobody.with(await openSession(world.world, { consultationId: consultation.id }))
  expect((await leave(owner)).status).toBe(200)
  expect((await guest.send(me)).status).toBe(401)
  const petNames = async () => (await world.rows(pets, { ownerId: id })).map(({ name }) => name)
  expect(await userRow(id)).toMatchObject({ firstName: 'Thandi', email, mobile: '', passwordHash: null })
  expect(await petNames()).toEqual(['Forgotten', 'Bella'])
  const [letter] = await world.mailsTo(email)
  expect(letter!.text).toMatch(/keep clinical records for 3 years.* until \d+ \w+ \d{4}/)
  const [written] = await world.rows(auditLog, { subjectId: String(id) })
  expect(written).toMatchObject({ action: 'account deleted', userId: id, subject: 'user' })

  const said = () => world.rows(messages, { consultationId: consultation.id })
  world.advance({ days: 3 * 365 - 40 })
  const successor = await world.owner({ email })
  await world.runDue()
  expect(await said()).toHaveLength(3)
  const fresh = world.nobody.with(await world.signIn(successor.id))
  await fresh.call(changeEmail, { email: `on${id}@example.com`, password: PASSWORD })
  await world.pass({ days: 20 })
  expect(await said()).toEqual([])
  // The sweep deletes the files, so that a failure before the commit loses none.
  expect(await Readable.from(world.world.files.list()).toArray()).toContain(consultation.file)
  await world.pass({ hours: 2 })
  for (const table of [clinicalNotes, notes, summaries, ratings, attachments])
    expect(await world.rows(table, { consultationId: consultation.id })).toEqual([])
  expect(await world.world.files.get(consultation.file)).toBeNull()
  const [row] = await world.rows(consultations, { id: consultation.id })
  expect(row).toMatchObject({ petIssue: '', outcome: '', userId: id })
  expect(await petNames()).toEqual(['Forgotten', 'Forgotten'])
  expect(await userRow(id)).toMatchObject({ firstName: '', lastName: '' })
  expect(await userRow(successor.id)).toMatchObject({ firstName: 'Thandi', email })
  expect((await world.mailsTo(email)).map(({ subject }) => subject)).toEqual([
    'Your VetChat email is about to change',
  ])
  expect(await rowsSaying(email)).toEqual(['mails', 'users'])
  expect(await rowsSaying('Bella')).toEqual([])
})

it("deleting an account isn't possible for a caller without an account, so their call is forgotten after three years too [PRO-5]", async () => {
  const [vet, { id: clinic }] = [await world.vet(), await world.clinic()]
  const { consultation } = await vet.call(recordPhoneConsultation, phoneCall(clinic))
  const caller = async () => (await world.rows(consultations, { id: consultation.id }))[0]!.caller
  await world.pass({ days: 3 * 365 - 1 })
  expect(await caller()).toMatchObject({ name: 'Nokuthula Example', pet: 'Whiskey' })
  await world.pass({ days: 3 })
  expect(await caller()).toEqual({ name: '', phone: '', email: '', pet: '', speciesId: null })
  for (const said of ['Nokuthula', 'Whiskey', 'No urine', 'Keep him quiet'])
    expect(await rowsSaying(said)).toEqual([])
})

it('deleting an account leaves a former vet’s name and number in the records they wrote, and removes their card [PRO-5]', async () => {
  const [vet, owner] = [await world.vet(), await world.owner()]
  const pet = await world.pet(owner.id)
  const at = world.now()
  const values = { userId: owner.id, petId: pet.id, vetId: vet.id, vetStart: at, end: at }
  const { id } = await world.consultation(values)
  await world.add(vetCards, { userId: vet.id, about: 'I love tortoises', changedAt: at })
  await world.change(users, vet.id, { type: 1 })
  expect((await leave(vet)).status).toBe(200)
  const { consultation } = await owner.call(getConsultation, { id })
  expect(consultation.vet_name).toBe(`Dr ${vet.firstName} ${vet.lastName}`)
  expect(await userRow(vet.id)).toMatchObject({ registration: vet.registration, mobile: '' })
  expect((await userRow(vet.id)).email).toBe(`gone-${vet.id}@deleted.invalid`)
  expect(await rowsSaying('tortoises')).toEqual([])
})

it('deleting an account ends the membership now, and changes nothing if the provider is out of reach [PRO-5]', async () => {
  const member = await world.member()
  const { id, subscription } = member
  await world.add(customers, { userId: id, stripeCustomer: 'cus_leaves' })
  hangsUp = 1
  const reply = await leave(member)
  expect([reply.status, reply.body.code]).toEqual([503, 'PAYMENTS_OUT_OF_REACH'])
  expect(await userRow(id)).toMatchObject({ deletedAt: null, mobile: '082 123 4567' })
  expect((await leave(member)).status).toBe(200)
  expect(ended).toEqual([subscription.stripeSubscription, 'cus_leaves'])
  const [row] = await world.rows(subscriptions, { userId: id })
  expect(row!.endedAt).not.toBeNull()
})

it('deleting an account also ends what was bought at that very moment, once the provider answers [PRO-5]', async () => {
  const owner = await world.owner()
  await leave(owner)
  await world.add(customers, { userId: owner.id, stripeCustomer: 'cus_late' })
  hangsUp = 1
  for (let n = 0; n < 2; n++) {
    expect(ended).not.toContain('cus_late')
    await world.pass({ minutes: 11 })
  }
  expect(ended).toContain('cus_late')
  expect(await world.rows(customers, { userId: owner.id })).toEqual([])
})

it('deleting an account deletes the person at the provider even if others can’t be deleted there [PRO-5]', async () => {
  const people = []
  for (let n = 0; n < 21; n++) people.push(await world.owner({ deletedAt: world.now() }))
  await world.db
    .insert(customers)
    .values(
      people.map(({ id }, n) => ({ userId: id, stripeCustomer: n < 20 ? `cus_stuck${n}` : 'cus_behind' })),
    )
  for (let n = 0; n < 9; n++) {
    await world.pass({ minutes: 11 })
  }
  expect(ended).toContain('cus_behind')
})

it('deleting an account takes a question that nobody has answered out of the queue [PRO-5, CON-12]', async () => {
  const [owner, vet] = [await world.owner(), await world.vet()]
  const pet = await world.pet(owner.id)
  const at = world.now()
  const ended = { vetId: vet.id, vetStart: at, end: at }
  const { id } = await world.consultation({ userId: owner.id, petId: pet.id, ...ended })
  const question = { consultation: id, client_id: 'question-1', body: 'She vomits again. Is that bad?' }
  await owner.call(sendMessageByCall, question)
  const asked = () => vet.call(listFollowUps, {})
  expect((await asked()).map(({ consultation }) => consultation.id)).toEqual([id])
  await leave(owner)
  expect(await asked()).toEqual([])
  await world.runDue()
  expect(await world.mailsTo(vet.email)).toEqual([])
})

it('deleting an account is for owners only; a guest who joined an account is erased without its mails [PRO-5]', async () => {
  const vet = await world.vet()
  expect((await vet.send(deleteAccount, { password: PASSWORD })).status).toBe(403)
  const account = await world.owner()
  await account.call(changeEmail, { email: 'unused@example.com', password: PASSWORD })
  const { user } = await world.guest()
  await world.db.delete(sessions).where(inArray(sessions.kind, ['guest']))
  await world.db.delete(consultations).where(eq(consultations.userId, user.id))
  await world.change(users, user.id, { email: account.email, deletedAt: world.now() })
  await world.pass({ hours: 2 })
  expect((await userRow(user.id)).email).toBe(`gone-${user.id}@deleted.invalid`)
  expect((await world.mailsTo(account.email)).map(({ subject }) => subject)).toEqual([
    'Your VetChat email is about to change',
  ])
})

async function rowsSaying(text: string) {
  const { rows } = (await world.db.execute(
    sql`select tablename from pg_tables where schemaname = 'public' order by 1`,
  )) as { rows: { tablename: string }[] }
  const saying: string[] = []
  for (const { tablename } of rows) {
    const found = (await world.db.execute(
      sql`select 1 from ${sql.identifier(tablename)} t where t::text like ${`%${text}%`}`,
    )) as { rows: object[] }
    if (found.rows.length > 0) saying.push(tablename)
  }
  return saying
}
