import { Readable } from 'node:stream'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { listClaims } from '#contract/claims.ts'
import { LIMITS } from '#contract/limits.ts'
import { putPetAway, updatePet } from '#contract/pets.ts'
import { addDays } from '#contract/time.ts'
import { claims, mails, pawcarePets, pets, subscriptions, uploads } from '#server/db/schema.ts'
import { sendClaim } from '#test/claims.ts'
import { pdf } from '#test/documents.ts'
import { photo, pictureFacts } from '#test/pictures.ts'
import { createWorld } from '#test/world.ts'
import { daysAfter, localDay } from '#contract/regions.ts'
import { judge, usedIn, type Case } from './rules.ts'

const INSURER = 'claims@insurer.example'

const at = (day: string) => new Date(`${day}T08:00:00Z`)
const now = at('2026-06-30')
const pet = (change: Partial<Case> = {}): Case => ({
  name: 'Biscuit',
  speciesId: 1,
  dob: '2020-01-01',
  region: 'za',
  places: [{ addedAt: at('2026-01-10'), freeAt: null, end: null, recurringStart: at('2025-03-01') }],
  registrations: [{ optIn: at('2026-01-10'), optOut: null }],
  claims: [],
  ...change,
})
const said = (change: Partial<Case>, day = '2026-06-01') => {
  const judgement = judge(pet(change), day, now)
  return 'refused' in judgement ? judgement.refused : 'covered'
}

it("the rules of a claim say why PawCare doesn't pay, by the membership on that day [PET-10]", () => {
  expect(said({})).toBe('covered')
  expect(said({ speciesId: 3 })).toBe('CLAIM_WRONG_SPECIES')
  expect(said({ places: [] })).toBe('CLAIM_NOT_A_MEMBER')
  const [place] = pet().places as [Case['places'][0]]
  expect(said({ places: [{ ...place, end: at('2026-05-01') }] })).toBe('CLAIM_NOT_A_MEMBER')
  expect(said({ places: [{ ...place, end: at('2026-06-20') }] })).toBe('covered')
  expect(said({ places: [{ ...place, freeAt: at('2026-06-20') }] })).toBe('covered')
  expect(said({ dob: '2026-05-01' })).toBe('CLAIM_TOO_YOUNG')
  expect(said({ dob: '2026-04-06' })).toBe('covered')
  expect(said({ registrations: [] })).toBe('CLAIM_OPTED_OUT')
  const out = { optIn: at('2026-01-10'), optOut: at('2026-06-01') }
  expect(said({ registrations: [out] })).toBe('CLAIM_OPTED_OUT')
  expect(said({ registrations: [out] }, '2026-05-31')).toBe('covered')
  expect(said({}, '2026-01-09')).toBe('CLAIM_WAITING')
  expect(said({}, '2026-01-11')).toBe('CLAIM_WAITING')
  expect(said({}, '2026-01-12')).toBe('covered')
  expect(said({ registrations: [{ optIn: at('2026-06-29'), optOut: null }] }, '2026-06-30')).toBe(
    'CLAIM_WAITING',
  )
})

it('the rules of a claim count incidents and money per membership year [PET-10]', () => {
  const made = ['2026-03-01', '2026-04-01', '2026-05-01'].map((happenedOn) => ({
    happenedOn,
    wouldPay: 10,
    paid: null as number | null,
  }))
  expect(said({ claims: made })).toBe('CLAIM_INCIDENTS_USED')
  expect(said({ claims: made }, '2026-02-28')).toBe('covered')
  const place = pet().places[0]!
  const used = (claims: Case['claims'], day: string, start = place.recurringStart) => {
    const own = { ...place, recurringStart: start }
    return usedIn(pet({ claims, places: [own] }), own, day)
  }
  expect(used(made, '2026-02-28')).toEqual({ incidents: 0, paid: 0 })
  expect(used(made, '2027-03-31', at('2024-04-01'))).toEqual({ incidents: 2, paid: 20 })
  const [, second, third] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
  const decided = [
    { ...second, paid: 0 },
    { ...third, paid: 7 },
  ]
  expect(used(decided, '2026-06-01')).toEqual({ incidents: 1, paid: 7 })

  // Another membership has years of its own, unless the pet moved there with its cover.
  const left = { ...place, freeAt: at('2026-05-10') }
  const places = [{ ...place, addedAt: at('2026-05-10'), recurringStart: at('2026-05-10') }, left]
  expect(said({ claims: made, places })).toBe('CLAIM_INCIDENTS_USED')
  const again = { optIn: at('2026-05-10'), optOut: null }
  const before = { optIn: at('2026-01-10'), optOut: at('2026-05-10') }
  expect(said({ claims: made, places, registrations: [before, again] })).toBe('covered')
})

const world = await createWorld({ env: { INSURER_EMAIL: INSURER } })

const today = () => localDay('za', world.now())
const stored = () => {
  try {
    return readdirSync(path.join(world.env.dataDir, 'files/claims'))
  } catch {
    return []
  }
}

async function covered() {
  const member = await world.member()
  const since = addDays(world.now(), -10)
  await world.add(pawcarePets, { petId: member.pet.id, optIn: since })
  const claim = { pet_id: member.pet.id, incident: 'snake', happened_on: today(), amount: 3_500_000 }
  return { ...member, claim }
}

it('a PawCare claim goes to the insurer with its invoice, is confirmed to the owner, and is marked sent once mailed [PET-10]', async () => {
  const { claim, ...member } = await covered()
  const { status, body } = await sendClaim(world, member.token, claim)
  expect([status, body]).toEqual([
    200,
    {
      id: expect.any(Number),
      pet: { id: member.pet.id, name: 'Biscuit' },
      incident: 'snake',
      happened_on: today(),
      amount: 3_500_000,
      currency: 'zar',
      would_pay: 3_000_000,
      state: 'received',
      paid: null,
      decision: '',
      at: expect.any(String),
    },
  ])
  const letter = (await world.mailsTo(INSURER)).at(-1)!
  expect(letter.text).toContain(member.email)
  const [attached] = letter.attachments
  expect(attached).toMatchObject({ filename: `claim-${body.id}.pdf`, type: 'application/pdf' })
  const file = await world.world.files.get(attached!.key)
  expect(await buffer(file!.stream)).toEqual(pdf())
  expect((await world.app.inject(`/media/${attached!.key}`)).statusCode).toBe(401)
  const [told] = await world.mailsTo(member.email)
  expect(told!.text).toContain('R30\u00a0000')
  await world.pass({ minutes: 2 })
  expect(await member.call(listClaims, {})).toEqual({
    claims: [{ ...body, state: 'sent' }],
    sent_from_here: true,
    used: [{ pet_id: member.pet.id, paid: 3_000_000, incidents: 1 }],
  })
})

it('a PawCare claim keeps its invoice when the connection breaks just after the claim was stored [PET-10]', async () => {
  const { claim, token } = await covered()
  const commit = world.db.transaction
  let commits = 0
  world.db.transaction = (async (...work: Parameters<typeof commit>) => {
    const done = await commit.apply(world.db, work)
    // The first one counts the file, the second one stores the claim.
    if (++commits === 2) throw new Error('Connection terminated unexpectedly')
    return done
  }) as typeof commit
  const lost = await sendClaim(world, token, claim)
  world.db.transaction = commit
  expect([lost.status, commits]).toEqual([503, 2])
  expect((await sendClaim(world, token, claim)).status).toBe(200)
  const [attached] = (await world.mailsTo(INSURER)).at(-1)!.attachments
  expect(await Readable.from(world.world.files.list()).toArray()).toContain(attached!.key)
})

it('a PawCare claim accepts a photographed invoice in full, without its location [PET-10]', async () => {
  const { claim, token } = await covered()
  expect((await sendClaim(world, token, claim, await photo())).status).toBe(200)
  const [attached] = (await world.mailsTo(INSURER)).at(-1)!.attachments
  const file = await world.world.files.get(attached!.key)
  expect(await pictureFacts(await buffer(file!.stream))).toEqual({
    width: 1200,
    height: 900,
    exif: undefined,
    format: 'jpeg',
  })
})

it("a PawCare claim refuses a file that isn't an invoice, and doesn't store it [PET-10]", async () => {
  const { claim, token } = await covered()
  const before = stored().length
  const jpeg = await photo()
  for (const content of [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    Buffer.from('%PDF-1.4 and no end'),
    jpeg.subarray(0, jpeg.length / 3),
    await photo('gif'),
    await photo('webp'),
    Buffer.alloc(0),
  ]) {
    const { status, body } = await sendClaim(world, token, claim, content)
    expect([status, body.code]).toEqual([415, 'CLAIM_INVOICE_WRONG_TYPE'])
  }
  const large = await sendClaim(world, token, claim, Buffer.alloc(10 * 1024 * 1024 + 1))
  expect([large.status, large.body.errors]).toEqual([413, ['The invoice can be up to 10 MB.']])
  expect((await sendClaim(world, token, claim, null)).status).toBe(400)
  expect(stored()).toHaveLength(before)
  expect(readdirSync(path.join(world.env.dataDir, 'receiving'))).toEqual([])
})

it('a PawCare claim says why it is refused [PET-10]', async () => {
  const { claim, ...member } = await covered()
  const refused = async (change: object = {}) => {
    const { body } = await sendClaim(world, member.token, { ...claim, ...change })
    return body.errors
  }
  expect(await refused({ happened_on: daysAfter(today(), 1) })).toEqual([
    'Please enter the day it happened, today or earlier.',
  ])
  expect(await refused({ happened_on: daysAfter(today(), -9) })).toEqual([
    'PawCare covers what happens once Biscuit has been registered for 48 hours.',
  ])
  expect(await refused({ amount: 0 })).toEqual(['Please enter the amount of the invoice.'])
  const other = await world.member()
  expect(await refused({ pet_id: other.pet.id })).toEqual(['We couldn’t find that.'])
  await world.change(pets, member.pet.id, { dob: today() })
  expect(await refused()).toEqual(['PawCare begins when Biscuit is 8 weeks old.'])
  await world.change(pets, member.pet.id, { dob: null, speciesId: 3 })
  expect(await refused()).toEqual(['PawCare is for cats and dogs.'])
  await world.change(pets, member.pet.id, { speciesId: 1 })
  await member.call(updatePet, {
    id: member.pet.id,
    name: 'Biscuit',
    sex: null,
    dob: null,
    desexed: null,
    pawcare_out: true,
  })
  expect(await refused()).toEqual(['Biscuit was opted out of PawCare.'])
  await world.change(subscriptions, member.subscription.id, { status: 'canceled', end: world.now() })
  expect(await refused()).toEqual(['Biscuit isn’t on an active membership.'])
  expect((await member.call(listClaims, {})).claims).toEqual([])
})

it('a PawCare claim stops at three incidents and the money limit of a year; sent twice it is one [PET-10]', async () => {
  const { claim, token, ...member } = await covered()
  const amounts = [4_000_000, 6_500_000, 3_000_000]
  const pays: number[] = []
  for (const amount of amounts) {
    const { body } = await sendClaim(world, token, { ...claim, amount })
    pays.push(body.would_pay)
    const again = await sendClaim(world, token, { ...claim, amount })
    expect(again.body).toEqual(body)
  }
  expect(pays).toEqual([3_500_000, 6_000_000, 500_000])
  const fourth = await sendClaim(world, token, { ...claim, amount: 1_000_000 })
  expect([fourth.status, fourth.body.errors]).toEqual([
    409,
    ['Biscuit has had 3 claims in this membership year, which is the most PawCare pays for.'],
  ])
  const kept = await world.rows(uploads, { userId: member.id })
  expect(kept).toHaveLength(3)
  expect(stored().filter((name) => kept.some((row) => name.startsWith(row.name)))).toHaveLength(3)
})

it('a PawCare claim is confirmed with what would be paid, and why it is less than the invoice [PET-10]', async () => {
  const { claim, token, email } = await covered()
  for (const amount of [400_000, 3_500_000, 10_000_000, 600_000])
    await sendClaim(world, token, { ...claim, amount })
  const mails = await world.mailsTo(email, 'claim received')
  expect(
    mails.map(({ text }) => /[^.\n]*would be paid[^.]*\./.exec(text.replaceAll(/\s/g, ' '))![0].trim()),
  ).toEqual([
    'The invoice is within the excess, so nothing would be paid for it.',
    'After the excess, R30 000 would be paid.',
    'After the excess and within the yearly limit, R70 000 would be paid.',
    'Nothing is left of the R100 000 limit for this membership year, so nothing would be paid for it.',
  ])
})

it("a PawCare claim below the excess pays nothing, uses none of the year's three claims, and is limited per day [PET-10]", async () => {
  const { claim, token, ...member } = await covered()
  const send = (amount: number) => sendClaim(world, token, { ...claim, amount })
  const most = LIMITS.claimsUnpaid.max
  for (let n = 0; n < most; n++) expect((await send(500_000 - n)).body.would_pay).toBe(0)
  const used = async () => (await member.call(listClaims, {})).used[0]
  expect(await used()).toEqual({ pet_id: member.pet.id, paid: 0, incidents: 0 })
  // Sending it again is the same claim; a different one has to wait.
  expect((await send(500_000)).status).toBe(200)
  const refused = await send(100_000)
  expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_TRIES'])
  for (const amount of [600_000, 700_000, 800_000]) expect((await send(amount)).status).toBe(200)
  expect(await used()).toEqual({ pet_id: member.pet.id, paid: 600_000, incidents: 3 })
  expect((await send(900_000)).body.code).toBe('CLAIM_INCIDENTS_USED')
})

it('a PawCare claim can be made for a pet that died of it [PET-10, PET-11]', async () => {
  const { claim, ...member } = await covered()
  await member.call(putPetAway, { id: member.pet.id, why: 'died' })
  expect((await sendClaim(world, member.token, claim)).status).toBe(200)
})

it("a PawCare claim counts as sent only by the insurer's mail [PET-10]", async () => {
  const { claim, token } = await covered()
  const { body } = await sendClaim(world, token, claim)
  await world.db
    .update(mails)
    .set({ failedAt: world.now() })
    .where(eq(mails.key, `claim ${body.id}`))
  await world.pass({ minutes: 2 })
  const [row] = await world.rows(claims, { id: body.id })
  expect(row!.state).toBe('received')
})
