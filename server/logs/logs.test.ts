import { expect, it } from 'vitest'
import {
  auditFilters,
  decideFeed,
  listAudit,
  listFeedRuns,
  listJobs,
  listMails,
  listMessages,
  resendMail,
} from '#contract/logs.ts'
import { endPersonSessions, openPerson } from '#contract/people.ts'
import { setUserType } from '#contract/vets.ts'
import { addHours, addMinutes, HOUR } from '#contract/time.ts'
import { auditLog, contactMessages, mails, policies } from '#server/db/schema.ts'
import { MailRefused } from '#server/providers/mail.ts'
import { createWorld } from '#test/world.ts'
import { mail } from '../mail/outbox.ts'
import { loadFeed } from '../policies/feed-writes.ts'

let works = true
const world = await createWorld({
  env: { INSURER_EMAIL: 'feed@insurer.example' },
  postman: async () => {
    if (!works) throw new MailRefused('550 mailbox full')
  },
})
const admin = await world.admin()

it('the audit log can be searched by person, by who did it, action and day, page by page [ADM-8]', async () => {
  const [owner, other] = [await world.owner(), await world.admin()]
  await admin.call(openPerson, { id: owner.id })
  await other.call(endPersonSessions, { id: owner.id })
  const asked = async (input: object) =>
    (await admin.call(listAudit, input)).entries.map(({ by, action, person }) => [by?.id, action, person?.id])
  const [opened, ended] = [
    [admin.id, 'opened the person', owner.id],
    [other.id, 'ended all sessions', owner.id],
  ]
  expect(await asked({ person: owner.id })).toEqual([ended, opened])
  expect(await asked({ by: other.id })).toEqual([ended])
  expect(await asked({ person: owner.id, action: 'opened the person' })).toEqual([opened])
  expect(await asked({ person: owner.id, from: '2020-01-01', to: '2020-01-02' })).toEqual([])
  const day = addHours(world.now(), 2).toISOString().slice(0, 10)
  expect(await asked({ person: owner.id, from: day, to: day })).toHaveLength(2)
  expect(await admin.call(auditFilters, {})).toMatchObject({
    staff: expect.arrayContaining([{ id: other.id, name: `Thandi ${other.lastName}` }]),
    actions: ['ended all sessions', 'opened the person'],
  })

  const at = addMinutes(world.now(), -1)
  await world.db.insert(auditLog).values(
    Array.from({ length: 120 }, (_, n) => ({
      at,
      userId: admin.id,
      action: 'took',
      subject: 'consultation',
      subjectId: String(n),
    })),
  )
  const seen: number[] = []
  for (let cursor: number | undefined; ;) {
    const { entries, next } = await admin.call(listAudit, { action: 'took', ...(cursor && { cursor }) })
    seen.push(...entries.map(({ id }) => id))
    if (next === null) break
    cursor = next
  }
  expect([seen.length, new Set(seen).size]).toEqual([120, 120])
})

it('what somebody did as staff can be found after they left [ADM-8]', async () => {
  const former = await world.vet()
  await world.add(auditLog, {
    at: world.now(),
    userId: former.id,
    action: 'took',
    subject: 'consultation',
    subjectId: '1',
  })
  await admin.call(setUserType, { id: former.id, type: 1 })
  const { staff } = await admin.call(auditFilters, {})
  expect(staff.map(({ id }) => id)).toContain(former.id)
  expect((await admin.call(listAudit, { by: former.id })).entries.map(({ action }) => action)).toContain(
    'took',
  )
})

it('the audit log names the people and clinics in its details [ADM-8]', async () => {
  const [vet, clinic] = [await world.vet(), await world.clinic()]
  const by = { userId: admin.id, subject: 'consultation', subjectId: '1' }
  await world.db.insert(auditLog).values(
    [
      { action: 'handed over', details: { to: vet.id } },
      { action: 'shared', details: { clinic: clinic.id, pictures: true } },
      { action: 'type changed', details: { from: 1, to: 2 } },
      { action: 'noted a review', details: { vet: 999_999 } },
      { action: 'clinic saved', subject: 'clinic', subjectId: String(clinic.id), details: {} },
    ].map((one, n) => ({ ...by, ...one, at: addHours(world.now(), n + 1) })),
  )
  const { entries } = await admin.call(listAudit, { by: admin.id })
  expect(entries[0]!.clinic).toEqual({ id: clinic.id, name: clinic.clinic })
  expect(entries.slice(1, 5).map(({ details }) => details)).toEqual([
    { vet: 999_999 },
    { from: 1, to: 2 },
    { clinic: clinic.clinic, pictures: true },
    { to: `${vet.firstName} ${vet.lastName}` },
  ])
})

const letter = { subject: 'Hello', parts: ['Your code', { code: 'SECRET-77' }] }

it('the mail log shows every mail with its state and never its text, and sends a given-up one again, once a minute [ADM-8]', async () => {
  works = false
  await mail(world.world, 'za', 'full@example.com', 'test', letter)
  await world.runDue()
  const lost = await admin.send(listMails, { state: 'given_up' })
  expect(lost.text).not.toContain('SECRET-77')
  expect(lost.body).toMatchObject({
    given_up: 1,
    mails: [{ to: 'full@example.com', subject: 'Hello', state: 'given_up', resendable: true }],
  })
  expect(lost.body.mails[0]!.error).toContain('mailbox full')
  const { id } = lost.body.mails[0]!
  works = true
  await admin.call(resendMail, { id })
  expect(await admin.refusal(resendMail, { id })).toBe('MAIL_ON_ITS_WAY')
  await world.runDue()
  expect(await admin.refusal(resendMail, { id })).toBe('MAIL_JUST_RESENT')
  expect((await admin.call(listMails, { to: 'FULL@example.com' })).mails).toMatchObject([
    { state: 'sent', error: null, resendable: false },
  ])
  expect((await admin.call(listMails, { state: 'given_up' })).mails).toEqual([])
  world.advance({ minutes: 2 })
  await world.change(mails, id, { text: '' })
  expect(await admin.refusal(resendMail, { id })).toBe('MAIL_ERASED')
  expect((await admin.call(listAudit, { action: 'sent a mail again' })).entries).toMatchObject([
    { subject: 'mail', subject_id: String(id), by: { id: admin.id } },
  ])
})

const file = (state: string, species = 'dog') =>
  Buffer.from(
    [
      'policy,holder_email,pet_name,species,state',
      ...Array.from(
        { length: 10 },
        (_, n) => `LOG-${n},h${n}@example.com,Bella,${species},${n < 5 ? state : 'live'}`,
      ),
    ].join('\n'),
  )
const live = async () =>
  (await world.db.select().from(policies)).filter(({ lapsedAt }) => lapsedAt === null).length

it("the insurer's feed waits for an administrator, who lets it through once or drops it [JOI-10, ADM-8]", async () => {
  await loadFeed(world.world, 'first.csv', file('live'))
  await loadFeed(world.world, 'second.csv', file('lapsed'))
  const named = async (q: string) => (await admin.call(listFeedRuns, { q })).runs.map(({ file }) => file)
  expect([await named('SEC'), await named('%')]).toEqual([['second.csv'], []])
  const waiting = (await admin.call(listFeedRuns, {})).runs[0]!
  expect(waiting).toMatchObject({ file: 'second.csv', state: 'waiting', lapsed: 5, overtaken: false })
  expect(await live()).toBe(10)
  const [one, two] = await Promise.all(
    [true, true].map((let_through) => admin.send(decideFeed, { id: waiting.id, let_through })),
  )
  expect([one!.status, two!.status].toSorted()).toEqual([200, 409])
  expect(await live()).toBe(5)
  expect((await admin.call(listFeedRuns, {})).runs[0]).toMatchObject({ state: 'applied', lapsed: 5 })

  await loadFeed(world.world, 'third.csv', file('lapsed', 'cat'))
  await loadFeed(world.world, 'back.csv', file('live', 'cat'))
  await loadFeed(world.world, 'fourth.csv', file('lapsed', 'rabbit'))
  const fourth = (await admin.call(listFeedRuns, {})).runs[0]!
  expect(await admin.call(decideFeed, { id: fourth.id, let_through: false })).toMatchObject({
    state: 'dropped',
  })
  expect(await admin.refusal(decideFeed, { id: fourth.id, let_through: true })).toBe('FEED_NOT_WAITING')
  // A file that waits is counted again when another is applied, so that nobody decides by old numbers.
  await loadFeed(world.world, 'fifth.csv', file('lapsed', '4'))
  await loadFeed(
    world.world,
    'one-ends.csv',
    Buffer.from(String(file('live', 'cat')).replace('live', 'lapsed')),
  )
  const fifth = async () => (await admin.call(listFeedRuns, { q: 'fifth' })).runs[0]!
  expect(await fifth()).toMatchObject({ state: 'waiting', lapsed: 4, overtaken: true })
  await loadFeed(world.world, 'back-again.csv', Buffer.concat([file('live', 'cat'), Buffer.from('\n')]))
  expect(await fifth()).toMatchObject({ state: 'waiting', lapsed: 5 })
  // The same file on another day changes nothing; only the command can still apply it.
  expect(await loadFeed(world.world, 'again.csv', file('lapsed', 'rabbit'))).toMatchObject({
    isNew: false,
    state: 'dropped',
  })
  expect(await live()).toBe(10)
  expect((await admin.call(listAudit, { action: 'dropped a file of the insurer' })).entries).toMatchObject([
    { details: { file: 'fourth.csv' }, by: { id: admin.id } },
  ])
})

it('the jobs show when each ran, how long it took and how it failed [ADM-8]', async () => {
  await world.runDue()
  const { jobs } = await admin.call(listJobs, {})
  const sweep = jobs.find(({ name }) => name === 'sweep mails')!
  expect(sweep).toMatchObject({
    lane: 'database',
    every_minutes: 60,
    failing: 0,
    error: null,
    running: false,
  })
  expect(Date.parse(sweep.next_run!) - Date.parse(sweep.last_run!)).toBe(HOUR)
  expect(sweep.took_ms).toBeGreaterThanOrEqual(0)
})

it('messages from the contact page are read newest first, page by page [PUB-7]', async () => {
  const { email } = await world.owner()
  const rows = Array.from({ length: 51 }, (_, n) => ({
    queryAbout: 2,
    name: `Writer ${n}`,
    email,
    clinicOrCompany: 'Two Oaks',
    body: 'Hello\nthere',
    region: 'za' as const,
    at: world.now(),
  }))
  await world.db.insert(contactMessages).values(rows)
  const first = await admin.call(listMessages, {})
  expect(first.messages[0]).toMatchObject({
    about: 'Partnership',
    name: 'Writer 50',
    company: 'Two Oaks',
    text: 'Hello\nthere',
  })
  const rest = await admin.call(listMessages, { cursor: first.next! })
  expect([first.messages.length, rest.messages.map(({ name }) => name), rest.next]).toEqual([
    50,
    ['Writer 0'],
    null,
  ])
})
