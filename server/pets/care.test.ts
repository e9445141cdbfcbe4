import { expect, it } from 'vitest'
import {
  addPet,
  couldBeBorn,
  listPets,
  listPetsAway,
  putPetAway,
  takePetBack,
  tickCare,
  updatePet,
  type Care,
} from '#contract/pets.ts'
import { me } from '#contract/accounts.ts'
import { careRuleOf } from '#contract/care.ts'
import { addWeight } from '#contract/records.ts'
import { addDays } from '#contract/time.ts'
import { pawcarePets, pets, subscriptionPets, subscriptions, users } from '#server/db/schema.ts'
import { addedRabbit } from '#test/samples.ts'
import { createWorld } from '#test/world.ts'
import { daysAfter, localDay } from '#contract/regions.ts'
import { careAfter, missingCare } from './rules.ts'

const world = await createWorld()

const puppy = { speciesId: 1, dob: '2026-01-01' }
const old = { speciesId: 2, dob: '2010-01-01' }
it('the rules of a care plan go by species and age, and the first one that fits counts [SUB-8]', () => {
  expect(careRuleOf('vaccination', puppy, '2026-02-01')?.everyDays).toBe(28)
  expect(careRuleOf('vaccination', puppy, '2026-08-01')?.everyDays).toBe(365)
  expect(careRuleOf('dental', puppy, '2026-02-01')).toBeUndefined()
  expect(careRuleOf('check-up', old, '2026-02-01')?.everyDays).toBe(182)
  expect(careRuleOf('check-up', { ...old, dob: null }, '2026-02-01')?.everyDays).toBe(365)
  expect(careRuleOf('vaccination', { speciesId: 5, dob: null }, '2026-02-01')).toBeUndefined()
})

it('the rules of a care plan give what is missing a first date within a month, and the next from the day it was done [SUB-8]', () => {
  expect(missingCare(puppy, ['weight'], '2026-02-01')).toEqual([
    { item: 'vaccination', dueOn: '2026-03-01' },
    { item: 'parasites', dueOn: '2026-02-15' },
    { item: 'check-up', dueOn: '2026-03-03' },
  ])
  expect(missingCare({ speciesId: 5, dob: null }, [], '2026-02-01').map(({ item }) => item)).toEqual([
    'weight',
    'check-up',
  ])
  expect(careAfter('vaccination', puppy, '2026-02-01')).toBe('2026-03-01')
  expect(careAfter('vaccination', { speciesId: 5, dob: null }, '2026-02-01')).toBeNull()
})

it('the rules of a care plan know which birthdays are possible', () => {
  const night = new Date('2026-02-28T20:00:00Z')
  expect(couldBeBorn('2026-03-01', night)).toBe(true)
  expect(couldBeBorn('2026-03-02', night)).toBe(false)
  expect(couldBeBorn('1926-02-27', night)).toBe(false)
})

const openWeight = (care: Care[]) => care.find((one) => one.item === 'weight' && one.done_on === null)
const today = () => localDay('za', world.now())

async function memberWithPlan() {
  const member = await world.member()
  await world.pass({ minutes: 6 })
  const [pet] = await member.call(listPets, {})
  return { ...member, care: pet!.care, petId: pet!.id }
}

it("a member's care plan has a date for every item, and others have none [SUB-8]", async () => {
  const { care } = await memberWithPlan()
  expect(care.map(({ item }) => item)).toEqual(['vaccination', 'parasites', 'dental', 'weight', 'check-up'])
  expect(care.every(({ due_on, done_on }) => done_on === null && due_on > today())).toBe(true)
  const owner = await world.owner()
  await world.pet(owner.id)
  await world.pass({ minutes: 6 })
  expect((await owner.call(listPets, {}))[0]!.care).toEqual([])
})

it("a member's care plan continues from the day something was done, and returns to the old date if that is undone [SUB-8]", async () => {
  const { care, ...member } = await memberWithPlan()
  const weight = openWeight(care)!
  const done = await member.call(tickCare, { id: weight.id, done_on: today() })
  expect(done.care.filter(({ item }) => item === 'weight')).toEqual([
    { id: expect.any(Number), item: 'weight', due_on: daysAfter(today(), 90), done_on: null },
    { ...weight, done_on: today() },
  ])
  const back = await member.call(tickCare, { id: weight.id, done_on: null })
  expect(back.care.filter(({ item }) => item === 'weight')).toEqual([weight])
  const early = daysAfter(weight.due_on, -90)
  const again = await member.call(tickCare, { id: weight.id, done_on: early })
  expect(openWeight(again.care)!.due_on).toBe(daysAfter(weight.due_on, 1))
  const next = openWeight(again.care)!
  const moved = await member.call(tickCare, { id: next.id, due_on: daysAfter(today(), 200) })
  expect(openWeight(moved.care)!.due_on).toBe(daysAfter(today(), 200))
})

it("a member's care plan is ticked when a weight is recorded, unless that is older than the last that ticked it [SUB-8] [CON-15]", async () => {
  const { care, petId, ...member } = await memberWithPlan()
  const first = openWeight(care)!
  const weigh = async (on?: string) => {
    await member.call(addWeight, { id: petId, kg: 24, ...(on && { on }) })
    const [pet] = await member.call(listPets, {})
    return pet!.care.filter(({ item }) => item === 'weight')
  }
  expect(await weigh(daysAfter(today(), -200))).toEqual([first])
  const ticked = [
    expect.objectContaining({ due_on: daysAfter(today(), 90), done_on: null }),
    { ...first, done_on: today() },
  ]
  expect(await weigh()).toEqual(ticked)
  for (const on of [today(), daysAfter(today(), -1)]) expect(await weigh(on)).toEqual(ticked)
})

it("a member's care plan can't be ticked on a future date, on one long ago, or by anybody else [SUB-8]", async () => {
  const { care, ...member } = await memberWithPlan()
  const [{ id }] = care as [Care]
  expect(await member.refusal(tickCare, { id, done_on: daysAfter(today(), 1) })).toBe('CARE_DATE_WRONG')
  for (const wrong of [{ done_on: '1900-01-01' }, { due_on: '9999-01-01' }])
    expect((await member.send(tickCare, { id, ...wrong })).status).toBe(400)
  const other = await world.member()
  expect((await other.send(tickCare, { id, done_on: today() })).status).toBe(404)
})

const remindersTo = (email: string) => world.mailsTo(email, 'care reminder')

it("a member's care plan has one reminder a week before, in one mail for everything [SUB-8]", async () => {
  const { email } = await memberWithPlan()
  world.advance({ days: 22 })
  expect(await remindersTo(email)).toEqual([])
  world.advance({ days: 2 })
  const [letter, ...more] = await remindersTo(email)
  expect(more).toEqual([])
  expect(letter!.subject).toBe('Care that’s due for Biscuit')
  for (const item of ['booster', 'worms', 'teeth', 'weighing', 'check-up'])
    expect(letter!.text).toMatch(new RegExp(`Biscuit, \\d+ \\w+: ${item}`))
  expect(letter!.text).toMatch(/Open the care plan:\n.+\/myaccount\/care\n/)
  world.advance({ days: 2 })
  expect(await remindersTo(email)).toHaveLength(1)
})

it("a member's care plan sends no reminder to owners who opted out, about pets that were put away, or to former members [SUB-8, PET-11]", async () => {
  const [silent, mourning, former] = [await memberWithPlan(), await memberWithPlan(), await memberWithPlan()]
  await world.change(users, silent.id, { notifications: { care: false } })
  await mourning.call(putPetAway, { id: mourning.petId, why: 'died' })
  await world.change(subscriptions, former.subscription.id, {
    status: 'canceled',
    end: world.now(),
    endedAt: world.now(),
  })
  world.advance({ days: 30 })
  for (const { email } of [silent, mourning, former]) expect(await remindersTo(email)).toEqual([])
})

it("putting a pet away frees its place and ends its cover at the period's end; its record stays [PET-11]", async () => {
  const member = await memberWithPlan()
  await world.add(pawcarePets, { petId: member.petId, optIn: world.now() })
  const other = await world.pet(member.id, { name: 'Other' })
  await world.add(subscriptionPets, { subscriptionId: member.subscription.id, petId: other.id, place: 2 })
  await member.call(putPetAway, { id: member.petId, why: 'moved' })
  expect((await member.call(listPets, {})).map(({ name }) => name)).toEqual(['Other'])
  const membership = async (caller: Pick<typeof member, 'call'> = member) =>
    (await caller.call(me, {})).subscription!
  expect((await membership()).pets).toEqual([other.id])
  const [place] = await world.rows(subscriptionPets, { petId: member.petId })
  const [cover] = await world.rows(pawcarePets, { petId: member.petId })
  const until = member.subscription.currentPeriodEnd
  expect([place!.freeAt, cover!.optOut]).toEqual([until, until])
  const [row] = await world.rows(pets, { id: member.petId })
  expect([row!.name, row!.putAwayWhy]).toEqual(['Biscuit', 'moved'])
  expect((await member.send(putPetAway, { id: member.petId, why: 'moved' })).status).toBe(404)
  // The place is still taken until then, and the account says so.
  expect((await membership()).leaving).toEqual([{ pet: 'Biscuit', free_from: until!.toISOString() }])
  world.advance({ seconds: Math.ceil((until!.getTime() - world.now().getTime()) / 1000) + 1 })
  await world.change(subscriptions, member.subscription.id, { currentPeriodEnd: addDays(world.now(), 30) })
  const later = member.with(await world.signIn(member.id))
  expect((await membership(later)).leaving).toEqual([])
})

it('putting a pet away frees its place straight away if the period isn’t paid [PET-11]', async () => {
  const member = await memberWithPlan()
  await world.change(subscriptions, member.subscription.id, {
    status: 'past_due',
    pastDueSince: world.now(),
  })
  await member.call(putPetAway, { id: member.petId, why: 'died' })
  expect((await member.call(me, {})).subscription).toMatchObject({ pets: [], leaving: [] })
})

it('putting a pet away has to wait until a consult has ended, and only its owner can do it [PET-11]', async () => {
  const member = await world.member()
  await world.consultOf(member)
  expect(await member.refusal(putPetAway, { id: member.pet.id, why: 'died' })).toBe('PET_IN_CONSULT')
  const stranger = await world.owner()
  expect((await stranger.send(putPetAway, { id: member.pet.id, why: 'died' })).status).toBe(404)
})

/** A member's covered dog, put away. */
async function petAway() {
  const member = await memberWithPlan()
  await world.add(pawcarePets, { petId: member.petId, optIn: addDays(world.now(), -9) })
  const id = member.petId
  const [before] = await member.call(listPets, {})
  await member.call(putPetAway, { id, why: 'died' })
  return { ...member, before: before! }
}
const placesOf = async (petId: number) =>
  (await world.rows(subscriptionPets, { petId })).filter(({ freeAt }) => freeAt === null)

it('taking a pet back gives it its place, cover and care plan as before; twice changes nothing [PET-11]', async () => {
  const { petId: id, before, ...member } = await petAway()
  const listed = { id, name: 'Biscuit', put_away_at: expect.any(String) }
  expect(await member.call(listPetsAway, {})).toEqual([listed])
  expect((await member.call(me, {})).has_pets_away).toBe(true)
  for (let time = 0; time < 2; time++) {
    expect(await member.call(takePetBack, { id })).toEqual(before)
    expect(await member.call(listPets, {})).toEqual([before])
    expect(await member.call(listPetsAway, {})).toEqual([])
    expect(await placesOf(id)).toHaveLength(1)
  }
  expect(await member.call(me, {})).toMatchObject({
    has_pets_away: false,
    subscription: { pets: [id], leaving: [] },
  })
})

it('taking a pet back gives it a free place once its own was free, with a new wait for cover, or none if it was opted out [PET-11, PET-8]', async () => {
  for (const optsOut of [false, true]) {
    const member = await memberWithPlan()
    const id = member.petId
    await world.add(pawcarePets, { petId: id, optIn: addDays(world.now(), -9) })
    if (optsOut) await member.call(updatePet, { id, pawcare_out: true })
    await world.change(subscriptions, member.subscription.id, {
      status: 'past_due',
      pastDueSince: world.now(),
    })
    await member.call(putPetAway, { id, why: 'moved' })
    world.advance({ hours: 1 })
    const back = await member.call(takePetBack, { id })
    expect(back.cover.state).toBe(optsOut ? 'opted_out' : 'waiting')
    expect(await placesOf(id)).toHaveLength(1)
  }
})

it('taking a pet back is refused when others have all its places by now [PET-11, PET-5]', async () => {
  const { petId: id, ...member } = await petAway()
  await world.card(member.id)
  const rabbit = (n: number) => ({ ...addedRabbit, name: `Rabbit ${n}` })
  for (let n = 0; n < 4; n++) await member.call(addPet, rabbit(n))
  // Its own place isn't free yet, so the fifth has to wait.
  expect((await member.send(addPet, rabbit(5))).status).toBe(409)
  await world.change(subscriptionPets, (await world.rows(subscriptionPets, { petId: id }))[0]!.id, {
    freeAt: world.now(),
  })
  await member.call(addPet, rabbit(5))
  expect(await member.refusal(takePetBack, { id })).toBe('MEMBERSHIP_FULL')
  expect((await member.call(listPetsAway, {})).map(({ name }) => name)).toEqual(['Biscuit'])
})

it('taking a pet back or adding others can’t be repeated without end [PET-11, SAF-4]', async () => {
  const owner = await world.owner()
  await world.card(owner.id)
  const added: number[] = []
  for (let n = 0; n < 29; n++) {
    added.push((await owner.call(addPet, { ...addedRabbit, name: `Rabbit ${n}` })).id)
    await owner.call(putPetAway, { id: added[n]!, why: 'moved' })
  }
  await owner.call(takePetBack, { id: added[0]! })
  for (const one of [
    await owner.send(takePetBack, { id: added[1]! }),
    await owner.send(addPet, { ...addedRabbit, name: 'One too many' }),
  ])
    expect([one.status, one.body.code]).toEqual([429, 'TOO_MANY_TRIES'])
  expect(await owner.call(listPets, {})).toHaveLength(1)
})

it('taking a pet back works without a membership, for up to five pets [PET-11, PET-5]', async () => {
  const owner = await world.owner()
  const { id } = await world.pet(owner.id)
  await owner.call(putPetAway, { id, why: 'moved' })
  for (let n = 0; n < 5; n++) await world.pet(owner.id)
  expect((await owner.send(takePetBack, { id })).status).toBe(409)
  const [first] = await owner.call(listPets, {})
  await owner.call(putPetAway, { id: first!.id, why: 'died' })
  expect((await owner.call(takePetBack, { id })).cover.why).toBe('membership')
})
