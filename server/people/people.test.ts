import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { login, me } from '#contract/accounts.ts'
import { readMessages, sendMessageByCall } from '#contract/chat.ts'
import { getConsultation, listAccess } from '#contract/consultations.ts'
import { listAudit } from '#contract/logs.ts'
import {
  cancelForPerson,
  endPersonSessions,
  extendFollowUp,
  findPeople,
  mailPasswordLink,
  openPerson,
  openSummary,
  resendToPerson,
} from '#contract/people.ts'
import { listAccountAccess } from '#contract/profile.ts'
import { addDays, addHours } from '#contract/time.ts'
import { auditLog, consultations, mails, users } from '#server/db/schema.ts'
import { advised, NOTE } from '#test/advice.ts'
import { payingOwner } from '#test/paid.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
let admin = await world.admin()

const found = async (q: string) => {
  const { people } = await admin.call(findPeople, { q })
  return people.map(({ id, found }) => [id, found.by, found.text])
}

it('a person is found by the beginning or the inside of a name, an email or a pet, exact first, names before emails before pets [ADM-8]', async () => {
  const zan = await world.owner({ firstName: 'Qzan', lastName: 'Alpha' })
  const zanele = await world.owner({ firstName: 'Qzanele', lastName: 'Beta' })
  const mail = await world.owner({ email: 'qzan.sample@example.com' })
  const pet = await world.owner()
  await world.pet(pet.id, { name: 'Qzanzi' })
  const inside = await world.owner({ firstName: 'Suqzan', lastName: 'Gamma' })
  const deep = await world.owner()
  await world.pet(deep.id, { name: 'Suqzan' })
  expect(await found('QZAN')).toEqual([
    [zan.id, 'name', 'Qzan Alpha'],
    [zanele.id, 'name', 'Qzanele Beta'],
    [mail.id, 'email', 'qzan.sample@example.com'],
    [pet.id, 'pet', 'Qzanzi'],
    [inside.id, 'name', 'Suqzan Gamma'],
    [deep.id, 'pet', 'Suqzan'],
  ])
  expect(await found('beta qzan')).toEqual([[zanele.id, 'name', 'Qzanele Beta']])
  expect(await found('100%')).toEqual([])
})

it('a person is found by a mobile in any form, and by any part of it [ADM-8]', async () => {
  const local = await world.owner({ mobile: '083 555 0199' })
  const abroad = await world.owner({ mobile: '+27 83 555 0198' })
  for (const typed of ['0835550199', '+27 (83) 555-0199', '0027835550199', '5550199'])
    expect(await found(typed), typed).toEqual([[local.id, 'mobile', '083 555 0199']])
  expect(await found('083 555 0198')).toEqual([[abroad.id, 'mobile', '083 555 0198']])
  expect(await found('835550')).toHaveLength(2)
})

it('a person is found by the number of the account, a consult or a receipt, and a whole receipt or email finds one person [ADM-8]', async () => {
  const { id, email, charge, consultation } = await payingOwner(world)
  expect(await found(String(id))).toContainEqual([id, 'number', String(id)])
  expect((await found(String(consultation.id))).map(([id]) => id)).toContain(id)
  const byReceipt = await admin.call(findPeople, { q: `vc-${charge.id}` })
  expect(byReceipt.only).toBe(id)
  expect(byReceipt.people[0]!.found).toEqual({ by: 'receipt', text: `VC-${charge.id}` })
  expect((await admin.call(findPeople, { q: email.toUpperCase() })).only).toBe(id)
  expect((await admin.call(findPeople, { q: email.slice(0, -1) })).only).toBeNull()
})

it("a person is found with their status, unless they have left, and the search isn't logged [ADM-8]", async () => {
  const [member, guest, gone] = [await world.member(), await world.guest(), await world.owner()]
  await world.change(users, member.id, { firstName: 'Standing' })
  await world.change(users, gone.id, { deletedAt: world.now() })
  const rows = (await admin.call(findPeople, { q: member.email })).people
  expect(rows).toMatchObject([{ standing: { is: 'member' }, pets: ['Biscuit'] }])
  expect((await admin.call(findPeople, { q: guest.user.email })).people).toMatchObject([
    { standing: { is: 'guest' } },
  ])
  expect(await found(gone.email)).toEqual([])
  expect((await admin.call(findPeople, { q: ' ' })).total).toBeGreaterThan(3)
  expect(await admin.call(listAudit, { person: member.id })).toEqual({ entries: [], next: null })
})

it('opening a person leaves one trace for an administrator and ten minutes, which the person sees [ADM-8]', async () => {
  const owner = await world.member()
  const first = await admin.call(openPerson, { id: owner.id })
  expect(first).toMatchObject({
    email: owner.email,
    pets: [{ name: 'Biscuit', away: false }],
    memberships: [{ state: 'active', ours: true, pets: 1, price: 200_000 }],
    looks: [{ action: 'opened the person', about: null }],
  })
  world.advance({ minutes: 9 })
  expect((await admin.call(openPerson, { id: owner.id })).looked_at).toBe(first.looked_at)
  expect(await owner.call(listAccountAccess, {})).toEqual([
    {
      name: `Thandi ${admin.lastName}`,
      action: 'opened the person',
      reason: '',
      at: first.looked_at,
      about: null,
    },
  ])
  await (await world.admin()).call(openPerson, { id: owner.id })
  world.advance({ minutes: 2 })
  await admin.call(openPerson, { id: owner.id })
  expect(await owner.call(listAccountAccess, {})).toHaveLength(3)
  expect((await admin.send(openPerson, { id: 2_000_000_000 })).status).toBe(404)
})

it('opening a person shows no text of a consult without a reason, which opens it for thirty minutes for that administrator alone [ADM-8, SAF-8]', async () => {
  const { owner, id } = await advised(world)
  const [closed, other] = [await admin.send(openPerson, { id: owner.id }), await world.admin()]
  expect(closed.body.consults.latest).toMatchObject([{ id, opened: null, vet_name: expect.any(String) }])
  expect(closed.text).not.toMatch(/sock|Small meals/)
  for (const who of [admin, other]) expect(await who.refusal(getConsultation, { id })).toBe('CONSULT_SAY_WHY')
  const silent = await admin.send(openSummary, { id, kind: 'refund', words: ' ' })
  expect([silent.status, Object.keys(silent.body.fields ?? {})]).toEqual([400, ['words']])

  const opened = await admin.call(openSummary, { id, kind: 'refund', words: 'Asked for R450 back' })
  expect(opened).toMatchObject({
    summary: NOTE.summary,
    plan: NOTE.plan,
    reason: 'Refund question: Asked for R450 back',
  })
  expect((await admin.call(openPerson, { id: owner.id })).consults.latest[0]!.opened).toEqual(opened)
  expect((await other.send(openPerson, { id: owner.id })).text).not.toMatch(/sock/)
  expect(await other.refusal(readMessages, { consultation: id })).toBe('CONSULT_SAY_WHY')
  const told = { name: `Thandi ${admin.lastName}`, action: 'opened', reason: opened.reason }
  expect((await owner.call(listAccess, { id }))[0]).toMatchObject(told)
  expect(await owner.call(listAccountAccess, {})).toContainEqual(
    expect.objectContaining({ ...told, about: id }),
  )

  world.advance({ minutes: 31 })
  expect((await admin.call(openPerson, { id: owner.id })).consults.latest[0]!.opened).toBeNull()
  expect(await admin.refusal(readMessages, { consultation: id })).toBe('CONSULT_SAY_WHY')
})

it('opening a person lists payments with their refunds, and mails without their text [ADM-8]', async () => {
  const owner = await payingOwner(world)
  await world.runDue()
  const person = await admin.call(openPerson, { id: owner.id })
  expect(person.purchases).toMatchObject([{ id: owner.charge.id, amount: 450_00, refunded: 0, refunds: [] }])
  expect(person.mails.latest).toContainEqual(
    expect.objectContaining({ subject: `Your receipt VC-${owner.charge.id}: R450`, state: 'sent' }),
  )
  expect(Object.keys(person.mails.latest[0]!)).not.toContain('text')
})

const entries = async (person: number) =>
  (await admin.call(listAudit, { person })).entries.map(({ action, reason }) => [action, reason])

it('an administrator ends one session or all, and the person sees who did [ADM-8]', async () => {
  const owner = await world.owner()
  const [second, third] = [await world.signIn(owner.id), await world.signIn(owner.id)]
  const { sessions } = await admin.call(openPerson, { id: owner.id })
  expect(sessions).toHaveLength(3)
  const other = await world.owner()
  const [foreign] = (await admin.call(openPerson, { id: other.id })).sessions
  for (const session of [foreign!.id, sessions[0]!.id, sessions[0]!.id])
    await admin.call(endPersonSessions, { id: owner.id, session })
  expect((await other.send(me, {})).status).toBe(200)
  const works = async () =>
    Promise.all(
      [owner.token, second, third].map(async (token) => (await owner.with(token).send(me, {})).status),
    )
  expect((await works()).filter((status) => status === 401)).toHaveLength(1)
  await admin.call(endPersonSessions, { id: owner.id })
  expect(await works()).toEqual([401, 401, 401])
  expect((await entries(owner.id)).slice(0, 2)).toEqual([
    ['ended all sessions', ''],
    ['ended a session', ''],
  ])
  // Their own session stays, so that nobody ends the page they are looking at.
  await admin.call(endPersonSessions, { id: admin.id })
  expect((await admin.send(me, {})).status).toBe(200)
})

it('an administrator sends a mail again to the address on file now, once a minute [ADM-8]', async () => {
  const owner = await payingOwner(world)
  await world.runDue()
  const receipt = (await admin.call(openPerson, { id: owner.id })).mails.latest.find(({ subject }) =>
    subject.includes('receipt'),
  )
  expect(receipt!.resendable).toBe(true)
  // In production the text of a sent mail is erased. A receipt is written again.
  await world.db.update(mails).set({ text: '', html: '' }).where(eq(mails.to, owner.email))
  const moved = `moved-${owner.email}`
  await world.change(users, owner.id, { email: moved })
  await world.add(auditLog, {
    at: world.now(),
    userId: owner.id,
    action: 'email changed',
    subject: 'user',
    subjectId: String(owner.id),
    details: { from: owner.email, to: moved },
  })
  expect(await admin.call(resendToPerson, { id: owner.id, mail: receipt!.id })).toEqual({ to: moved })
  expect(await admin.refusal(resendToPerson, { id: owner.id, mail: receipt!.id })).toBe('MAIL_JUST_RESENT')
  expect(await world.mailsTo(moved)).toMatchObject([{ subject: receipt!.subject }])
  world.advance({ minutes: 1 })
  await admin.call(resendToPerson, { id: owner.id, mail: receipt!.id })
  expect(await world.mailsTo(moved)).toHaveLength(2)

  const others = (await world.mailsTo(moved))[0]!
  expect((await admin.send(resendToPerson, { id: (await world.owner()).id, mail: others.id })).status).toBe(
    404,
  )
  await admin.call(mailPasswordLink, { id: owner.id })
  await world.runDue()
  const code = (await world.mailsTo(moved)).at(-1)!
  expect(code.subject).toBe('Your VetChat reset code')
  await world.change(mails, code.id, { text: '', html: '' })
  expect(await admin.refusal(resendToPerson, { id: owner.id, mail: code.id })).toBe('MAIL_ERASED')
})

it('an administrator lets an owner write for longer after the end, with the reason [ADM-8]', async () => {
  const { owner, id } = await advised(world)
  const write = (n: number) =>
    owner
      .with(owner.token)
      .send(sendMessageByCall, { consultation: id, client_id: `late-message-${n}`, body: 'Hello' })
  world.advance({ hours: 49 })
  owner.token = await world.signIn(owner.id)
  expect((await write(1)).body.code).toBe('CONSULT_ENDED')
  const until = addDays(world.now(), 1).toISOString()
  const asked = { id, until, reason: 'Was in hospital' }
  for (const [change, field] of [
    [{ until: new Date(world.now().getTime() - 1000).toISOString() }, 'until'],
    [{ until: addDays(world.now(), 40).toISOString() }, 'until'],
    [{ until: '2026-13-41T24:61:00Z' }, 'until'],
    [{ reason: '' }, 'reason'],
  ] as const)
    expect(
      Object.keys(
        (await admin.with(await world.signIn(admin.id)).send(extendFollowUp, { ...asked, ...change })).body
          .fields!,
      ),
    ).toEqual([field])
  const here = admin.with(await world.signIn(admin.id))
  await here.call(extendFollowUp, asked)
  expect((await write(2)).status).toBe(200)
  const room = await owner.with(owner.token).call(getConsultation, { id })
  expect(room.consultation.follow_up_until).toBe(until)
  expect(await here.refusal(readMessages, { consultation: id })).toBe('CONSULT_SAY_WHY')
  world.advance({ hours: 25 })
  owner.token = await world.signIn(owner.id)
  expect((await write(3)).body.code).toBe('CONSULT_ENDED')
  const open = await world.consultOf(owner)
  const later = addDays(world.now(), 1).toISOString()
  const refused = await admin
    .with(await world.signIn(admin.id))
    .send(extendFollowUp, { id: open.id, until: later, reason: 'Too early' })
  expect(refused.body.code).toBe('CONSULT_NOT_ENDED')
  admin = await world.admin()
  const [row] = await world.rows(consultations, { id: open.id, extendedUntil: null })
  expect(row).toBeDefined()
})

it('an administrator cancels a membership for somebody who asked by mail, with that day as the reason [ADM-8, SUB-4]', async () => {
  const member = await world.memberWithCard()
  const asked = { id: member.id, subscription: member.subscription.id }
  const today = addHours(world.now(), 2).toISOString().slice(0, 10)
  const tomorrow = addHours(world.now(), 26).toISOString().slice(0, 10)
  expect(await admin.refusal(cancelForPerson, { ...asked, mailed_on: tomorrow })).toBe('MAILED_IN_FUTURE')
  const other = await world.owner()
  expect((await admin.send(cancelForPerson, { ...asked, id: other.id, mailed_on: today })).status).toBe(404)
  const { end } = await admin.call(cancelForPerson, { ...asked, mailed_on: today })
  expect(end).toBe((await admin.call(openPerson, { id: member.id })).memberships[0]!.until)
  expect((await world.mailsTo(member.email)).map(({ template }) => template)).toContain(
    'membership cancelled',
  )
  const second = await world.admin()
  expect(await second.call(cancelForPerson, { ...asked, mailed_on: today })).toEqual({ end })
  expect((await entries(member.id)).filter(([action]) => action === 'cancelled the membership')).toEqual([
    ['cancelled the membership', `Asked by email on ${today}`],
  ])
  expect((await world.nobody.call(login, { email: member.email, password: PASSWORD })).token).toBeTruthy()
})
