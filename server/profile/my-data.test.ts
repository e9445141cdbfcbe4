import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { changeEmail, confirmEmail, exportMyData } from '#contract/profile.ts'
import { addDays } from '#contract/time.ts'
import { claims, consents, consultations, messages, subscriptions } from '#server/db/schema.ts'
import { consulted, livedIn } from '#test/full-account.ts'
import { PASSWORD } from '#test/people.ts'
import { purchaseOf } from '#test/purchases.ts'
import { recordCharge } from '#server/ledger/writes.ts'
import { createWorld } from '#test/world.ts'
import * as data from './export-reads.ts'

const world = await createWorld()

it('my data is everything we keep about the person, in words [PRO-5]', async () => {
  const owner = await livedIn(world)
  const other = await livedIn(world)
  await consulted(world, owner)
  await consulted(world, other)
  const userId = owner.id
  const clinic = await world.clinic()
  await world.db
    .update(consultations)
    .set({
      checkIn: 'better',
      checkInAt: world.now(),
      clinicId: clinic.id,
      clinicSharedAt: world.now(),
      clinicNotifiedAt: world.now(),
    })
    .where(eq(consultations.userId, userId))
  const policy = await world.policy({ holderEmail: owner.email, userId, boundAt: world.now() })
  const membership = await world.add(subscriptions, {
    userId,
    plan: 'annual',
    region: 'za',
    price: 200_000,
    currency: 'zar',
    stripeSubscription: 'sub_export',
    status: 'canceled',
    recurringStart: world.now(),
    end: world.now(),
  })
  await purchaseOf(world, {
    tokenHash: 'secret hash',
    idempotencyKey: 'secret key',
    kind: 'membership',
    amount: 200_000,
    userId,
    email: owner.email,
  })
  const renewal = { amount: 200_000, region: 'za', currency: 'zar', what: 'renewal' } as const
  const bought = { userId, subscriptionId: membership.id, stripeId: 'pi_renewed' }
  await recordCharge(world.world, { ...renewal, ...bought, at: addDays(world.now(), -30) })
  await world.add(claims, {
    petId: owner.milo.id,
    subscriptionId: membership.id,
    incident: 'snake',
    happenedOn: '2026-01-01',
    amount: 900_000,
    currency: 'zar',
    wouldPay: 400_000,
    uploadId: owner.upload.id,
  })
  await world.add(consents, { userId, terms: '1', call: 'addPet', ticked: true })
  await owner.call(changeEmail, { email: 'next@example.com', password: PASSWORD })
  await world.runDue()

  const data = await owner.call(exportMyData, {})
  expect(data).toMatchObject({
    details: { first_name: 'Thandi', email: owner.email, address: '1 Long Street', clinic: 'Two Oaks' },
    pets: [
      { name: 'Milo', species: 'Dog', born: '2020-02-02', care: [{ item: 'weight' }] },
      { name: 'Bella', picture: null },
    ],
    policies: [{ number: policy.policy }],
    memberships: [{ plan: 'annual', status: 'canceled' }],
    card: { brand: 'visa', last4: '4242' },
    purchases: [{ what: 'membership', amount: 200_000 }],
    money: [{ kind: 'charge', for: 'Renewal of the annual membership', amount: 200_000 }],
    consultations: [
      {
        by: 'text',
        pet: 'Bella',
        vet: 'Dr Thandi Naidoo',
        enquiry: 'Bella limps',
        urgency: {
          level: 'urgent',
          read_from: { reasons: [{ words: 'Bella limps' }] },
          changed: [{ by: 'Dr Thandi Naidoo', to: 'routine', reason: 'Bella walks again' }],
        },
        video_calls: [],
        messages: [
          { by: 'you', text: 'Her left paw', file: 'paw.jpg' },
          { by: 'Dr Thandi Naidoo', text: 'Let her rest' },
          { by: 'VetChat', text: 'The consultation ended' },
        ],
        clinical_note: { history: 'Jumped off a wall' },
        notes: [{ text: 'Sprain' }],
        summary: { text: 'A sprained paw' },
        rating: { stars: 5, words: 'Kind' },
        check_in: { answer: 'better', at: expect.any(String) },
        shared_with_clinic: { name: clinic.clinic, chosen: expect.any(String) },
        clinic_written_to: expect.any(String),
      },
    ],
    claims: [{ pet: 'Milo', incident: 'snake', amount: 900_000 }],
    consents: [{ agreed_to: 'addPet', ticked: true }],
    sessions: [{ ended: null }],
    mails: [{ to: owner.email, subject: 'Your VetChat email is about to change' }],
    newsletter: [{ name: 'Thandi' }],
    messages_to_us: [{ text: 'Do you see tortoises?' }],
  })
  expect((data['pets'] as { picture: string }[])[0]!.picture).toBe(`/media/pets/picture${userId}-800.jpg`)
  const text = JSON.stringify(data)
  const secrets = ['secret', 'pm_leaving', other.email, owner.token, '$argon2']
  for (const secret of secrets) expect(text).not.toContain(secret)
})

it('my data can be requested ten times an hour [PRO-5, LOG-12]', async () => {
  const owner = await world.owner()
  for (let n = 0; n < 10; n++) expect((await owner.send(exportMyData)).status).toBe(200)
  expect((await owner.send(exportMyData)).status).toBe(429)
})

it('my data with a long conversation is sent in pieces, none of which holds much of it [PRO-5, SAF-6]', async () => {
  const owner = await world.member()
  const { id } = await world.consultOf(owner)
  await world.db.insert(messages).values(
    Array.from({ length: 130 }, (_, at) => ({
      consultationId: id,
      seq: at + 1,
      clientId: `message-${at}`,
      userId: owner.id,
      body: `${at} `.padEnd(10_000, '"'),
      at: world.now(),
    })),
  )
  const actor = { kind: 'owner', userId: owner.id } as const
  const sent: string[] = []
  for await (const piece of (await data.exportMyData({ ...world.world, actor } as never)).pieces)
    sent.push(piece)
  expect(Math.max(...sent.map((piece) => piece.length))).toBeLessThan(1_100_000)
  const [consult] = (await owner.call(exportMyData, {}))['consultations'] as [
    { messages: { text: string }[] },
  ]
  expect(consult.messages.map(({ text }) => Number.parseInt(text))).toEqual([...Array(130).keys()])
  const whole = JSON.parse(sent.join('')) as { consultations: unknown[] }
  expect(whole.consultations).toEqual([consult])
})

it('my data contains nothing that others did with an address that was never confirmed [PRO-5]', async () => {
  const owner = await livedIn(world, { emailConfirmedAt: null })
  const data = await owner.call(exportMyData, {})
  expect([data['newsletter'], data['messages_to_us']]).toEqual([[], []])
})

it('my data lists the mails to an earlier address until it was changed, and none to its new owner [PRO-5]', async () => {
  const owner = await world.owner()
  await owner.call(changeEmail, { email: 'moved@example.com', password: PASSWORD })
  await world.nobody.call(confirmEmail, { code: await world.codeTo('moved@example.com', 'email') })
  world.advance({ minutes: 1 })
  const next = await world.owner({ email: owner.email })
  await next.call(changeEmail, { email: 'elsewhere@example.com', password: PASSWORD })
  await world.runDue()
  const subjects = ((await owner.call(exportMyData, {}))['mails'] as { subject: string }[]).map(
    ({ subject }) => subject,
  )
  expect(subjects).toEqual([
    'Confirm your new email for VetChat',
    'Your VetChat email is about to change',
    'Your VetChat email was changed',
  ])
})

it('my data shows nothing of the person who had the address before [PRO-5]', async () => {
  const taker = await world.owner()
  const before = await world.owner()
  world.advance({ minutes: 1 })
  await before.call(changeEmail, { email: `went${before.id}@example.com`, password: PASSWORD })
  await world.nobody.call(confirmEmail, { code: await world.codeTo(`went${before.id}@example.com`, 'email') })
  world.advance({ minutes: 1 })
  await taker.call(changeEmail, { email: before.email, password: PASSWORD })
  await world.nobody.call(confirmEmail, { code: await world.codeTo(before.email, 'email') })
  const mails = (await taker.call(exportMyData, {}))['mails'] as { to: string; subject: string }[]
  const there = mails.filter(({ to }) => to === before.email).map(({ subject }) => subject)
  expect(there).toEqual(['Confirm your new email for VetChat'])
})
