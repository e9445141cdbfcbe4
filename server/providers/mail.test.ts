import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { mails } from '#server/db/schema.ts'
import { givenUp, mail, sendAgain, TRIES } from '#server/mail/outbox.ts'
import { portOf } from '#test/port-of.ts'
import { createWorld, ownPostgres } from '#test/world.ts'
import { openPostman } from './mail.ts'

const letter = { subject: 'Hello', parts: ['Hello,'] }

/** A mail server that answers one command in its own way. */
async function mailServer(command: string, answer: string) {
  let wanted: string | null = answer
  const server = createServer((socket) => {
    let inside = false
    socket.on('error', () => {}).setEncoding('utf8')
    socket.write(`${command === 'CONN' && wanted ? wanted : '220 here'}\r\n`)
    socket.on('data', (chunk: string) => {
      for (const line of chunk.split('\r\n').slice(0, -1)) {
        if (inside && line !== '.') continue
        const asked = inside ? 'DATA' : line.slice(0, command.length)
        const said =
          asked === command && wanted ? wanted : inside || line !== 'DATA' ? '250 fine' : '354 go on'
        inside = said.startsWith('354')
        socket.write(`${said}\r\n`)
      }
    })
  })
  const env = {
    smtpUrl: `smtp://127.0.0.1:${await portOf(server)}`,
    mailFrom: 'hello@vetchat.example',
  }
  return {
    env: { SMTP_URL: env.smtpUrl, MAIL_FROM: env.mailFrom },
    postman: openPostman(env),
    heal: () => void (wanted = null),
    close: () => server.close(),
  }
}

/** Each in its own words, and how often we try. */
const REFUSALS = [
  ['RCPT TO', '550 5.1.1 no such user', 1],
  ['MAIL FROM', '552 5.2.3 too large', 1],
  ['DATA', '554 5.7.1 not wanted', 1],
  ['RCPT TO', '451 4.7.1 try later', TRIES],
  ['MAIL FROM', '530 5.7.0 sign in first', TRIES],
  ['CONN', '554 closed today', TRIES],
] as const

it('a mail is given up after a permanent refusal, and only then [OPS-4]', async () => {
  const servers = await Promise.all(REFUSALS.map(([command, answer]) => mailServer(command, answer)))
  const world = await createWorld({
    env: { ...servers[0]!.env, LOG_LEVEL: 'warn' },
    postman: (sent) => servers[Number.parseInt(sent.to)]!.postman(sent),
  })
  for (const n of REFUSALS.keys()) await mail(world.world, 'za', `${n}@example.com`, `test ${n}`, letter)
  const tryThreeTimes = async () => {
    for (let tried = 0; tried < 3; tried++) {
      await world.runDue()
      world.advance({ minutes: 10 })
    }
  }
  await tryThreeTimes()
  const open = and(isNull(mails.failedAt), eq(mails.attempts, 3))
  await world.db
    .update(mails)
    .set({ attempts: TRIES - 2 })
    .where(open)
  await tryThreeTimes()
  const rows = await givenUp(world.world)
  const lines = world.log.map((line) => JSON.parse(line) as Record<string, unknown>)
  const given = lines.filter(({ event }) => event === 'mail given up')
  for (const [n, [, answer, tries]] of REFUSALS.entries()) {
    const error = expect.stringContaining(answer.slice(0, 3))
    expect(rows[n], answer).toMatchObject({ template: `test ${n}`, attempts: tries, error })
    expect(given.filter(({ template }) => template === `test ${n}`)).toMatchObject([
      { level: 50, mail: rows[n]!.id, attempts: tries },
    ])
  }

  for (const server of servers) server.heal()
  const ids = rows.map(({ id }) => id)
  expect((await sendAgain(world.world, [...ids, 9999])).toSorted()).toEqual(ids)
  for (const n of REFUSALS.keys()) expect(await world.mailsTo(`${n}@example.com`)).toHaveLength(1)
  expect(await sendAgain(world.world, ids)).toEqual([])
  await world.close()
  for (const server of servers) server.close()
})

it('a mail server that keeps answering only a little more is given up [OPS-4]', async () => {
  const server = createServer((socket) => {
    const drip = setInterval(() => socket.write('220-wait\r\n'), 20)
    socket.on('error', () => {}).on('close', () => clearInterval(drip))
  })
  const smtpUrl = `smtp://127.0.0.1:${await portOf(server)}`
  const postman = openPostman({ smtpUrl, mailFrom: 'hello@vetchat.example' }, 200)
  const sent = { messageId: '<1@localhost>', to: 'a@example.com', attachments: [] }
  await expect(postman({ ...sent, subject: 'Hello', text: 'Hello', html: 'Hello' })).rejects.toThrow(/abort/)
  server.close()
})

it.runIf(process.env['TEST_DATABASE_URL'])(
  'a command names the database, lists the mails that were given up and makes them due again [OPS-4]',
  async () => {
    const { spawn } = await import('node:child_process')
    const { openPostgres } = await import('#server/db/client.ts')
    const url = await ownPostgres(process.env['TEST_DATABASE_URL']!)
    const database = await openPostgres(url)
    const at = new Date()
    const row = (id: string, words: string) => ({
      messageId: `<${id}@localhost>`,
      template: 'receipt',
      region: 'za' as const,
      to: `${id}@example.com`,
      subject: 'Your receipt',
      text: words,
      html: words,
      dueAt: at,
      failedAt: at,
      attempts: 12,
      error: 'Error: 550 no such user',
      createdAt: at,
    })
    await database.db.insert(mails).values([row('here', 'text'), row('erased', '')])
    const run = async (...options: string[]) => {
      const child = spawn(process.execPath, ['build/app/mails.js', ...options], {
        env: { PATH: process.env['PATH'], DATABASE_URL: url, SECRET: 'x'.repeat(32), DEMO: 'on' },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const ended = once(child, 'exit')
      const said = await text(child.stderr)
      return { code: (await ended)[0] as number, said }
    }
    const listed = await run()
    expect(listed.code).toBe(0)
    expect(listed.said).toContain(`Database: PostgreSQL, ${new URL(url).pathname.slice(1)} on`)
    expect(listed.said).toContain('receipt to here@example.com, 12 tries: Error: 550 no such user')
    expect(listed.said).toContain('its text was erased')
    const sent = await run('--resend', '1', '2', '7')
    expect(sent.code).toBe(1)
    expect(sent.said).toContain('Mail 1 is due again.')
    expect(sent.said).toMatch(/Mail 2 was left alone[^]*Mail 7 was left alone/)
    expect((await run('--resend', 'all')).code).toBe(0)
    for (const wrong of [['--resend'], ['--resend', 'x'], ['--all'], ['--resend', '0']])
      expect((await run(...wrong)).said).toContain('Usage: npm run mails')
    expect(await database.db.select({ failedAt: mails.failedAt }).from(mails).orderBy(mails.id)).toEqual([
      { failedAt: null },
      { failedAt: at },
    ])
    await database.close()
  },
  MINUTE,
)
