import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { addMinutes } from '#contract/time.ts'
import { mails } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'
import { transaction } from '../context.ts'
import { givenUp, mail } from './outbox.ts'

const letter = {
  subject: 'Hello <b>',
  parts: ['One & two', { button: 'Go', to: 'http://localhost/x' }, { code: 'AB-12' }, { quiet: 'small' }],
}

it('a mail has plain text and HTML from the same parts, and typed text is never markup', async () => {
  const world = await createWorld()
  await mail(world.world, 'za', 'a@example.com', 'test', letter)
  const [sent] = await world.mailsTo('a@example.com')
  expect(sent!.text.split('\n')).toEqual(
    expect.arrayContaining(['One & two', 'http://localhost/x', 'AB-12', 'small']),
  )
  expect(sent!.html).toContain('One &#38; two')
  expect(sent!.html).not.toContain('Hello <b>')
})

it('a mail is stored only with the change that causes it, and only once per key', async () => {
  const world = await createWorld()
  await transaction(world.world, async (ctx) => {
    await mail(ctx, 'za', 'b@example.com', 'test', letter)
    throw new Error('no')
  }).catch(() => {})
  for (let n = 0; n < 3; n++)
    await mail(world.world, 'za', 'b@example.com', 'test', letter, { key: 'follow up 7' })
  expect(await world.mailsTo('b@example.com')).toHaveLength(1)
})

it('a mail is retried under the same Message-ID, and never sent twice in parallel', async () => {
  const given: string[] = []
  let works = false
  const world = await createWorld({
    postman: async ({ messageId }) => {
      given.push(messageId)
      if (!works) throw new Error('the line is down')
    },
  })
  await mail(world.world, 'za', 'c@example.com', 'test', letter)
  await Promise.all([world.runDue(), world.runDue(), world.runDue()])
  expect(given).toHaveLength(1)
  expect(await world.mailsTo('c@example.com')).toEqual([])
  works = true
  world.advance({ minutes: 1 })
  expect(await world.mailsTo('c@example.com')).toHaveLength(1)
  expect(new Set(given).size).toBe(1)
  expect(given).toHaveLength(2)
})

it('a mail that was written, tried or claimed while the clock was a year ahead goes out once it is right [OPS-4]', async () => {
  let works = false
  const world = await createWorld({
    postman: async () => {
      if (!works) throw new Error('the line is down')
    },
  })
  world.advance({ days: 365 })
  await mail(world.world, 'za', 'tried@example.com', 'test', letter)
  await world.runDue()
  await mail(world.world, 'za', 'written@example.com', 'test', letter)
  const claimedUntil = addMinutes(world.now(), 2)
  await world.db.update(mails).set({ claimedUntil }).where(eq(mails.to, 'written@example.com'))
  works = true
  world.advance({ days: -365 })
  for (const to of ['tried@example.com', 'written@example.com'])
    expect(await world.mailsTo(to), to).toHaveLength(1)
})

it('a mail that would come too late is not sent, and its text is erased', async () => {
  let works = false
  const world = await createWorld({
    env: { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'hello@vetchat.example' },
    postman: async () => {
      if (!works) throw new Error('the mail server is away')
    },
  })
  const until = addMinutes(world.now(), 30)
  await mail(world.world, 'za', 'late@example.com', 'test', letter, { until })
  await mail(world.world, 'za', 'any-time@example.com', 'test', letter)
  await world.runDue()
  works = true
  world.advance({ minutes: 31 })
  expect(await world.mailsTo('late@example.com')).toEqual([])
  expect(await world.mailsTo('any-time@example.com')).toHaveLength(1)
  expect(await givenUp(world.world)).toMatchObject([
    { to: 'late@example.com', error: expect.stringContaining('too late'), isErased: true },
  ])
})

it('a mail is tried at least every ten minutes, however often it failed', async () => {
  let tried = 0
  const world = await createWorld({
    postman: async () => {
      tried++
      throw new Error('the mail server is away')
    },
  })
  await mail(world.world, 'za', 'long@example.com', 'test', letter)
  await world.db.update(mails).set({ attempts: 100 })
  for (let n = 0; n < 3; n++) {
    await world.runDue()
    world.advance({ minutes: 10 })
  }
  expect(tried).toBe(3)
})

it('a mail whose sender crashed is sent after its claim expires', async () => {
  const world = await createWorld()
  await mail(world.world, 'za', 'd@example.com', 'test', letter)
  await world.db.update(mails).set({ claimedUntil: new Date(world.now().getTime() + 120_000), attempts: 1 })
  expect(await world.mailsTo('d@example.com')).toEqual([])
  world.advance({ minutes: 3 })
  expect(await world.mailsTo('d@example.com')).toHaveLength(1)
})

it('the text of a mail is erased here once a mail server has it', async () => {
  const given: string[] = []
  const world = await createWorld({
    env: { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'hello@vetchat.example' },
    postman: async ({ text }) => void given.push(text),
  })
  await mail(world.world, 'za', 'e@example.com', 'test', letter)
  const [sent] = await world.mailsTo('e@example.com')
  expect([sent!.text, sent!.html, given.length]).toEqual(['', '', 1])
  expect(given[0]).toContain('AB-12')
})

it('a mail has its attachments, and waits for one that is missing', async () => {
  const given: string[] = []
  const world = await createWorld({
    postman: async ({ attachments }) => {
      for (const { filename, type, open } of attachments)
        given.push(`${filename} ${type} ${await text(await open())}`)
    },
  })
  const file = { filename: 'invoice.pdf', key: 'claims/f.pdf', type: 'application/pdf' }
  await mail(world.world, 'za', 'f@example.com', 'test', letter, { attachments: [file] })
  expect(await world.mailsTo('f@example.com')).toEqual([])
  await world.world.files.put('claims/f.pdf', Buffer.from('what was paid'))
  world.advance({ minutes: 1 })
  expect(await world.mailsTo('f@example.com')).toHaveLength(1)
  expect(given).toEqual(['invoice.pdf application/pdf what was paid'])
})

it('the text of a mail is erased after 90 days and its row after two years, but never before it was sent', async () => {
  let works = true
  const world = await createWorld({
    postman: async () => {
      if (!works) throw new Error('the line is down')
    },
  })
  const rows = () => world.db.select({ to: mails.to, text: mails.text }).from(mails).orderBy(mails.id)
  await mail(world.world, 'za', 'g@example.com', 'test', letter)
  await world.runDue()
  works = false
  await mail(world.world, 'za', 'h@example.com', 'test', letter)
  await world.pass({ days: 91 })
  const [sent, unsent] = await rows()
  expect([sent!.text, unsent!.text.length > 0]).toEqual(['', true])
  await world.pass({ days: 640 })
  expect((await rows()).map(({ to }) => to)).toEqual(['h@example.com'])
})
