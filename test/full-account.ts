import { addHours } from '#contract/time.ts'
import {
  attachments,
  careItems,
  clinicalNotes,
  contactMessages,
  levelChanges,
  messages,
  newsletter,
  notes,
  ratings,
  summaries,
  uploads,
  type users,
} from '#server/db/schema.ts'
import type { TestWorld } from './world.ts'

type Person = Awaited<ReturnType<TestWorld['owner']>>

/** An owner with a card, a picture, mails and more, whose pet Milo has never seen a vet. */
export async function livedIn(world: TestWorld, values: Partial<typeof users.$inferInsert> = {}) {
  const owner = await world.owner({
    address: '1 Long Street',
    postcode: '8001',
    userClinic: 'Two Oaks',
    notifications: { news: true },
    ...values,
  })
  const userId = owner.id
  const upload = await world.add(uploads, {
    name: `picture${userId}`,
    userId,
    type: 'image',
    bytes: 9,
    namedAt: world.now(),
  })
  const milo = await world.pet(userId, {
    name: 'Milo',
    dob: '2020-02-02',
    microchip: '900000000000001',
    uploadId: upload.id,
  })
  await world.add(careItems, { petId: milo.id, item: 'weight', dueOn: '2030-01-01' })
  await world.card(userId)
  await world.add(newsletter, { email: owner.email, name: 'Thandi', region: 'za' })
  await world.add(contactMessages, {
    queryAbout: 7,
    name: 'Thandi',
    email: owner.email,
    body: 'Do you see tortoises?',
    region: 'za',
  })
  return { ...owner, milo, upload }
}

/** An ended consultation with everything that one can contain. */
export async function consulted(world: TestWorld, owner: Person, end = world.now()) {
  const vet = await world.person({ type: 2, registration: `V-${owner.id}`, lastName: 'Naidoo' })
  const bella = await world.pet(owner.id, { name: 'Bella' })
  const start = addHours(end, -1)
  const row = await world.consultation({
    userId: owner.id,
    petId: bella.id,
    vetId: vet.id,
    start,
    vetStart: start,
    end,
    petIssue: 'Bella limps',
    outcome: 'Rest',
    urgency: 'urgent',
    urgencyRead: { version: '1', reasons: [{ sign: 'limp', words: 'Bella limps' }], signs: [] },
  })
  const consultationId = row.id
  const name = `file${consultationId}.jpg`
  const file = await world.add(attachments, {
    consultationId,
    userId: owner.id,
    name,
    filename: 'paw.jpg',
    type: 'image',
    bytes: 3,
  })
  await world.world.files.put(`consultations/${name}`, Buffer.from('paw'))
  await world.db.insert(messages).values([
    { consultationId, seq: 1, clientId: 'a', userId: owner.id, body: 'Her left paw', attachmentId: file.id },
    { consultationId, seq: 2, clientId: 'b', userId: vet.id, body: 'Let her rest' },
    { consultationId, seq: 3, clientId: 'c', userId: null, body: 'The consultation ended' },
  ])
  await world.add(clinicalNotes, { consultationId, history: 'Jumped off a wall', savedAt: new Date() })
  await world.add(notes, { consultationId, vetId: vet.id, body: 'Sprain' })
  await world.add(summaries, { consultationId, vetId: vet.id, summary: 'A sprained paw' })
  await world.add(ratings, { consultationId, stars: 5, words: 'Kind' })
  const change = { from: 'urgent', to: 'routine', reason: 'Bella walks again' } as const
  await world.add(levelChanges, { consultationId, vetId: vet.id, ...change })
  return { id: consultationId, bella, file: `consultations/${name}` }
}
