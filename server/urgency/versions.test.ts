import { desc } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { changeLevel, startConsultation } from '#contract/consultations.ts'
import {
  emergencyCheck,
  listVersions,
  makeVersionLive,
  noteReview,
  replayVersion,
  withdrawVersion,
} from '#contract/urgency.ts'
import { auditLog, clinicalNotes, consultations } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { vetSaid } from './replay-reads.ts'

const world = await createWorld()

const VERSIONS = [
  '2026-11-10',
  '2026-11-9',
  '2026-11-8',
  '2026-11-7',
  '2026-11-6',
  '2026-11-5',
  '2026-11-4',
  '2026-11-3',
  '2026-11-2',
  '2026-11-1',
] as const
const [NEW, , , , , OLD] = VERSIONS
const reason = 'Fewer missed cats'

it('a version is live once a vet reviewed it and two admins agree; going back takes one [TRI-5]', async () => {
  const [admin, second] = [await world.admin(), await world.admin()]
  const vet = await world.vet()
  const of = async (version: string, who = admin) =>
    (await who.call(listVersions, {})).versions.find((one) => one.version === version)!
  expect(await of(NEW)).toMatchObject({ live: true, live_since: null, reviewed: null, asked: null })
  const { versions, takes_two, vets } = await admin.call(listVersions, {})
  expect([versions.map(({ version }) => version), takes_two]).toEqual([VERSIONS, true])
  expect(vets.map(({ id }) => id)).toContain(vet.id)

  expect(await admin.refusal(makeVersionLive, { version: OLD, reason })).toBe('RULES_UNREVIEWED')
  const owner = await world.owner()
  expect((await admin.send(noteReview, { version: OLD, vet_id: owner.id })).body).toMatchObject({
    code: 'RULES_REVIEWER',
    fields: { vet_id: expect.any(String) },
  })
  await admin.call(noteReview, { version: OLD, vet_id: vet.id })
  expect((await of(OLD)).reviewed).toMatchObject({ name: expect.stringMatching(/^Dr /) })

  // One asks, another one confirms.
  expect(await admin.call(makeVersionLive, { version: OLD, reason })).toEqual({ live: false })
  expect(await admin.refusal(makeVersionLive, { version: OLD, reason })).toBe('RULES_ASKED')
  expect((await of(OLD)).asked).toMatchObject({ mine: true, reason })
  expect((await of(OLD, second)).asked).toMatchObject({ mine: false })
  await second.call(withdrawVersion, { version: OLD })
  expect((await of(OLD)).asked).toBeNull()
  await admin.call(makeVersionLive, { version: OLD, reason })
  const both = await Promise.all([1, 2].map(() => second.send(makeVersionLive, { version: OLD, reason })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await of(OLD)).toMatchObject({ live: true, live_since: { name: expect.any(String) } })
  expect(await of(NEW)).toMatchObject({ live: false })

  // It reads complaints from now on, and owners see who reviewed it.
  const check = await world.nobody.call(emergencyCheck, { species_id: 1 })
  expect(check).toMatchObject({ version: OLD, reviewed: { registration: expect.any(String) } })
  const member = await world.member()
  const { consultation } = await member.call(startConsultation, {
    pet_id: member.pet.id,
    pet_issue: 'He is choking',
    type: 1,
  })
  const [row] = await world.rows(consultations, { id: consultation.id })
  expect(row!.urgencyRead!.version).toBe(OLD)

  // The other one came live with the product, so one admin returns to it without a review, and back.
  expect(await admin.call(makeVersionLive, { version: NEW, reason })).toEqual({ live: true })
  expect(await of(NEW)).toMatchObject({ live: true, was_live: true, reviewed: null })
  expect(await admin.call(makeVersionLive, { version: OLD, reason: 'Too many alarms' })).toEqual({
    live: true,
  })
  const [entry] = await world.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  expect(entry).toMatchObject({
    action: 'made rules live',
    subjectId: OLD,
    reason: 'Too many alarms',
    details: { before: NEW },
  })
})

it('a replay counts what the rules caught, missed and raised for nothing, by sign [TRI-5]', async () => {
  const admin = await world.admin()
  const vet = await world.vet()
  const ended = async (words: string, outcome?: 'sent_in' | 'home' | 'no_answer') => {
    const owner = await world.owner()
    const pet = await world.pet(owner.id, { speciesId: 2 })
    const { id } = await world.consultation({ userId: owner.id, petId: pet.id, petIssue: words })
    if (outcome)
      await world.add(clinicalNotes, {
        consultationId: id,
        outcome,
        summary: 'Seen',
        savedAt: world.now(),
        signedAt: world.now(),
        signedBy: vet.id,
      })
    return id
  }
  await ended('He strains in the litter box and nothing comes out', 'sent_in')
  const missed = await ended('Please look at her', 'sent_in')
  const alarm = await ended('She cannot breathe', 'home')
  await ended('How much food does she need', 'home')
  await ended('She cannot breathe', 'no_answer')
  // A vet's change of level counts against the rules too.
  const raised = await ended('Something is odd')
  await world.change(consultations, raised, { urgency: 'routine' })
  await vet.call(changeLevel, { id: raised, from: 'routine', to: 'urgent', reason: 'Seen in a photo' })

  const found = await admin.call(replayVersion, { version: NEW })
  expect(found).toMatchObject({ consults: 5, caught: 1, missed: 2, false_alarms: 1, changed: 1, cut: false })
  expect(found.signs[0]).toMatchObject({ sign: '', says: 'No sign fitted', missed: 2 })
  expect(found.signs[0]!.cases).toEqual([raised, missed])
  expect(found.signs.find(({ sign }) => sign === 'breathing-hard')).toMatchObject({
    false_alarms: 1,
    cases: [alarm],
  })
  expect(found.signs.find(({ sign }) => sign === 'no-urine')).toMatchObject({ caught: 1, cases: [] })
})

it.each([
  ['sent_in', null, true],
  ['home', 'emergency', true],
  ['home', 'soon', false],
  ['own_vet', null, false],
  [null, 'routine', false],
  ['no_answer', null, undefined],
  [null, null, undefined],
] as const)('an outcome of %s and a level of %s say %s [TRI-5]', (outcome, set, says) => {
  expect(vetSaid(outcome, set)).toBe(says)
})
