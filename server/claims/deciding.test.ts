import { expect, it } from 'vitest'
import { decideClaim, listClaims, listEveryClaim } from '#contract/claims.ts'
import { localDay } from '#contract/regions.ts'
import { addDays } from '#contract/time.ts'
import { openPerson } from '#contract/people.ts'
import { deleteAccount, listAccountAccess } from '#contract/profile.ts'
import { auditLog, claims, pawcarePets, pets, users } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { sendClaim } from '#test/claims.ts'
import { pdf } from '#test/documents.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld({ env: { INSURER_EMAIL: 'claims@insurer.example' } })
const admin = await world.admin()
const today = () => localDay('za', world.now())

/** A member who made claims for these amounts, oldest first. */
async function claimed(...amounts: number[]) {
  const member = await world.member()
  await world.add(pawcarePets, { petId: member.pet.id, optIn: addDays(world.now(), -10) })
  const send = (amount: number) =>
    sendClaim(world, member.token, {
      pet_id: member.pet.id,
      incident: 'snake',
      happened_on: today(),
      amount,
    })
  const ids: number[] = []
  for (const amount of amounts) ids.push((await send(amount)).body.id)
  const listed = () => member.call(listClaims, {})
  return {
    ...member,
    ids,
    send,
    listed,
    used: async () => (await listed()).used[0],
    decidedMails: async () =>
      (await world.mailsTo(member.email)).filter(({ template }) => template === 'claim decided'),
  }
}
const decide = (id: number, paid: number, decision = '', seen?: string | null) =>
  admin.send(decideClaim, { id, paid, decision, ...(seen !== undefined && { seen }) })

it('what the insurer paid is recorded once, told to the owner, and counts instead of what it would pay [PET-10]', async () => {
  const owner = await claimed(3_500_000)
  const [id] = owner.ids as [number]
  expect(await owner.used()).toEqual({ pet_id: owner.pet.id, paid: 3_000_000, incidents: 1 })
  const { status, body } = await decide(id, 2_450_000)
  expect([status, body]).toMatchObject([200, { id, state: 'decided', paid: 2_450_000, decision: '' }])
  expect((await decide(id, 2_450_000)).body).toEqual(body)
  expect((await owner.listed()).claims).toMatchObject([{ id, state: 'decided', paid: 2_450_000 }])
  expect(await owner.used()).toEqual({ pet_id: owner.pet.id, paid: 2_450_000, incidents: 1 })
  const mails = await owner.decidedMails()
  expect(mails.map(({ subject }) => subject)).toEqual(['The insurer paid your claim for Biscuit'])
  expect(mails[0]!.text).toContain(`The insurer paid R24\u00a0500 for your PawCare claim ${id}`)
  expect(
    await world.rows(auditLog, { action: 'decided a claim', subjectId: String(owner.id) }),
  ).toMatchObject([{ userId: admin.id, details: { amount: 2_450_000, currency: 'zar', claim: id } }])
  expect(await owner.call(listAccountAccess, {})).toMatchObject([{ action: 'decided a claim' }])
})

it("a declined claim says why and uses up none of the year's claims or money [PET-10]", async () => {
  const owner = await claimed(4_000_000, 4_000_001, 4_000_002)
  expect((await owner.send(900_000)).body.code).toBe('CLAIM_INCIDENTS_USED')
  const [first] = owner.ids as [number]
  const silent = await decide(first, 0, '  ')
  expect([silent.status, silent.body]).toMatchObject([400, { fields: { decision: expect.any(String) } }])
  expect((await decide(first, 0, 'The snake was a toy.')).status).toBe(200)
  expect(await owner.used()).toMatchObject({ incidents: 2 })
  const [mail] = await owner.decidedMails()
  expect(mail!.subject).toBe('The insurer declined your claim for Biscuit')
  expect(mail!.text).toContain('The snake was a toy.')
  expect((await owner.send(900_000)).status).toBe(200)
})

it("what a decision leaves of the year's limit goes to the open claims, oldest first [PET-10]", async () => {
  const owner = await claimed(10_500_000, 5_000_000, 4_000_000)
  const [first, second] = owner.ids as [number, number]
  const wouldPay = async () => (await owner.listed()).claims.map(({ would_pay }) => would_pay).toReversed()
  expect(await wouldPay()).toEqual([10_000_000, 0, 0])
  await decide(first, 7_000_000)
  expect(await wouldPay()).toEqual([10_000_000, 3_000_000, 0])
  await decide(second, 2_000_000)
  expect(await wouldPay()).toEqual([10_000_000, 3_000_000, 1_000_000])
  await decide(first, 0, 'The snake was a toy.')
  expect(await wouldPay()).toEqual([10_000_000, 3_000_000, 3_500_000])
})

it('a wrong decision is corrected and told again; nobody overwrites a decision that they have not seen [PET-10]', async () => {
  const owner = await claimed(1_000_000)
  const [id] = owner.ids as [number]
  expect((await decide(id, 1_000_001)).body).toMatchObject({ code: 'CLAIM_PAID_TOO_MUCH' })
  const { body: declined } = await decide(id, 0, 'Not covered.', null)
  const unseen = await decide(id, 500_000, '', null)
  expect([unseen.status, unseen.body]).toMatchObject([
    409,
    { code: 'CHANGED_UNDER_YOU', current: { paid: 0, decision: 'Not covered.' } },
  ])
  world.advance({ minutes: 1 })
  expect((await decide(id, 500_000, '', declined.decided!.at)).body).toMatchObject({ paid: 500_000 })
  const mails = await owner.decidedMails()
  expect(mails.map(({ subject }) => subject)).toEqual([
    'The insurer declined your claim for Biscuit',
    'The insurer paid your claim for Biscuit',
  ])
  expect(mails[1]!.text).toContain(`We got your PawCare claim ${id} wrong.`)
  expect(
    await world.rows(auditLog, { action: 'corrected a claim', subjectId: String(owner.id) }),
  ).toHaveLength(1)
  expect((await decide(2_000_000_000, 1)).body).toMatchObject({ code: 'CLAIM_REMOVED' })
})

it('of decisions pressed at the same time one is recorded and mailed [PET-10]', async () => {
  const owner = await claimed(1_000_000)
  const replies = await atOnce(6, (n) => decide(owner.ids[0]!, 500_000 - (n % 2), '', null))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(await owner.decidedMails()).toHaveLength(1)
})

it('admins page through every claim, by state, owner and pet [PET-10]', async () => {
  const owner = await claimed(700_000, 800_000)
  const found = async (asked: object) => (await admin.call(listEveryClaim, asked)).claims.map(({ id }) => id)
  const q = owner.email.slice(0, -4).toUpperCase()
  expect(await found({ q })).toEqual(owner.ids.toReversed())
  expect(await found({ q, cursor: owner.ids[1] })).toEqual([owner.ids[0]])
  expect(await found({ q: 'bisc' })).toEqual(expect.arrayContaining(owner.ids))
  expect(await found({ q: '%' })).toEqual([])
  await world.runDue()
  await world.pass({ minutes: 2 })
  await decide(owner.ids[0]!, 100_000)
  expect(await found({ q, state: 'sent' })).toEqual([owner.ids[1]])
  expect(await found({ q, state: 'received' })).toEqual([])
  expect(await admin.call(listEveryClaim, { q, state: 'decided' })).toMatchObject({
    sent_from_here: true,
    next: null,
    claims: [
      {
        id: owner.ids[0],
        owner: { id: owner.id, email: owner.email },
        would_pay: 200_000,
        paid: 100_000,
        currency: 'zar',
      },
    ],
  })
})

it("a person's page shows what they claimed, newest first [ADM-8] [PET-10]", async () => {
  const owner = await claimed(1_000_000, 1_200_000)
  const [first, second] = owner.ids as [number, number]
  await decide(first, 400_000)
  expect((await admin.call(openPerson, { id: owner.id })).claims).toMatchObject([
    { id: second, state: 'received', would_pay: 700_000, paid: null },
    { id: first, state: 'decided', paid: 400_000 },
  ])
})

it('an invoice opens for admins only, and its owner sees who opened it [PET-10]', async () => {
  const owner = await claimed(700_000)
  const { headers, body } = await admin.send(listEveryClaim, { q: owner.email })
  expect(String(headers['set-cookie'])).toMatch(/^vetchat_files=/)
  const url = body.claims[0]!.invoice
  expect((await world.nobody.open(url)).statusCode).toBe(401)
  for (const other of [owner, await world.vet(), await world.guest(), await world.clinic()])
    expect((await other.open(url)).statusCode).toBe(404)
  expect(await owner.call(listAccountAccess, {})).toEqual([])
  const opened = await admin.open(url)
  expect([opened.statusCode, opened.headers['content-type'], opened.rawPayload]).toEqual([
    200,
    'application/pdf',
    pdf(),
  ])
  expect(opened.headers['cache-control']).toBe('private, no-store')
  expect(await owner.call(listAccountAccess, {})).toMatchObject([
    { action: 'opened the invoice of a claim', reason: `Claim ${owner.ids[0]}` },
  ])
  expect((await admin.open(`${url}x`)).statusCode).toBe(404)
})

it('an owner who leaves without ever having had a consult keeps an open claim, erased once it is decided [PET-10, PRO-5]', async () => {
  const owner = await claimed(900_000)
  const unclaimed = await world.pet(owner.id)
  const [id] = owner.ids as [number]
  const left = async () => {
    const [{ firstName, email }] = (await world.rows(users, { id: owner.id })) as [typeof users.$inferSelect]
    const names = (await world.rows(pets, { ownerId: owner.id })).map((pet) => [pet.id, pet.name])
    return { firstName, email, names: Object.fromEntries(names) }
  }
  await owner.call(deleteAccount, { password: PASSWORD })
  await world.pass({ hours: 2 })
  const letter = (await world.mailsTo(owner.email)).find(({ template }) => template === 'account deleted')
  expect(letter!.text).toContain('The insurer is still deciding a PawCare claim of yours')
  expect(letter!.text).not.toContain('we keep nothing')
  expect(await left()).toMatchObject({
    firstName: 'Thandi',
    email: owner.email,
    names: { [owner.pet.id]: 'Biscuit', [unclaimed.id]: 'Forgotten' },
  })
  expect((await world.mailsTo('claims@insurer.example')).at(-1)!.subject).toBe(`PawCare claim ${id}: Biscuit`)

  expect((await decide(id, 500_000)).body).toMatchObject({ id, paid: 500_000, owner: { has_left: true } })
  expect(await owner.decidedMails()).toEqual([])
  await world.pass({ hours: 2 })
  expect(await world.rows(claims, { id })).toEqual([])
  expect(await left()).toMatchObject({
    firstName: '',
    email: `gone-${owner.id}@deleted.invalid`,
    names: { [owner.pet.id]: 'Forgotten' },
  })
})

it('an owner who left is erased after three years even if the insurer never decides [PET-10, PRO-5]', async () => {
  const owner = await claimed(900_000)
  await owner.call(deleteAccount, { password: PASSWORD })
  await world.pass({ days: 3 * 365 - 2 })
  expect(await world.rows(users, { id: owner.id })).toMatchObject([{ email: owner.email }])
  await world.pass({ days: 4 })
  expect(await world.rows(users, { id: owner.id })).toMatchObject([{ firstName: '' }])
  expect(await world.rows(claims, { id: owner.ids[0]! })).toEqual([])
})
