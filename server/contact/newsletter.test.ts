import { expect, it } from 'vitest'
import { confirmNewsletter, joinNewsletter, leaveNewsletter } from '#contract/contact.ts'
import { newsletter } from '#server/db/schema.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const rowOf = async (email: string) => (await world.rows(newsletter, { email }))[0]
const codeIn = (text: string, deed: 'join' | 'leave') =>
  new RegExp(`/newsletter/${deed}/([\\w.-]+)`).exec(text)?.[1] ?? ''
const lastTo = async (email: string) => (await world.mailsTo(email)).at(-1)!

it('people join the list only by pressing the mailed link, and leave it with one press [SHL-6] [D10]', async () => {
  const email = 'thandi@example.com'
  await world.visitor().call(joinNewsletter, { name: 'Thandi', email: ' Thandi@Example.com ' })
  expect(await rowOf(email)).toMatchObject({ name: 'Thandi', region: 'za', confirmedAt: null })
  const code = codeIn((await lastTo(email)).text, 'join')

  await world.visitor().call(confirmNewsletter, { code })
  expect((await rowOf(email))!.confirmedAt).not.toBeNull()
  const joined = await lastTo(email)
  const leave = codeIn(joined.text, 'leave')
  expect(joined.html).toMatch(new RegExp(`${leave}"[^>]*>Unsubscribe with one click</a>`))
  await world.visitor().call(confirmNewsletter, { code })

  world.advance({ minutes: 1 })
  await world.visitor().call(leaveNewsletter, { code: leave })
  expect((await rowOf(email))!.leftAt).not.toBeNull()
  await world.visitor().call(leaveNewsletter, { code: leave })
  // An old link doesn't bring anybody back.
  expect(await world.visitor().refusal(confirmNewsletter, { code })).toBe('NEWSLETTER_LINK_WRONG')

  world.advance({ minutes: 1 })
  await world.visitor().call(joinNewsletter, { name: 'Thandi M', email })
  await world.visitor().call(confirmNewsletter, { code: codeIn((await lastTo(email)).text, 'join') })
  expect(await rowOf(email)).toMatchObject({ name: 'Thandi M', leftAt: null })
})

it('subscribers get the same answer, and a stranger changes nothing [SHL-6]', async () => {
  const email = 'on@example.com'
  await world.visitor().call(joinNewsletter, { name: 'Due on', email })
  await world.visitor().call(confirmNewsletter, { code: codeIn((await lastTo(email)).text, 'join') })
  const again = await world.visitor().send(joinNewsletter, { name: 'Somebody else', email })
  expect([again.status, again.text]).toEqual([200, '{}'])
  expect((await rowOf(email))!.name).toBe('Due on')
  expect((await lastTo(email)).subject).toBe('You’re on our list')
})

it.each([
  ['name', ' ', 'Name is empty'],
  ['email', '', 'Email is empty'],
  ['email', 'thandi@', 'Invalid Email address'],
])('both are required: %s %j [SHL-6]', async (field, value, message) => {
  const reply = await world.visitor().send(joinNewsletter, {
    name: 'T',
    email: 'wrong@example.com',
    [field]: value,
  })
  expect([reply.status, reply.body.fields]).toEqual([400, { [field]: message }])
})

it('machines, a sixth request from one address and a fourth mail to one email have no effect [SHL-6] [SAF-3]', async () => {
  await world
    .visitor()
    .call(joinNewsletter, { name: 'M', email: 'm@example.com', website: 'https://x.example' })
  expect(await rowOf('m@example.com')).toBeUndefined()
  const one = world.visitor()
  for (let n = 0; n < 5; n++) await one.call(joinNewsletter, { name: 'O', email: 'often@example.com' })
  await world.visitor().call(joinNewsletter, { name: 'O', email: 'often@example.com' })
  expect(await world.mailsTo('often@example.com')).toHaveLength(3)
  expect(await one.refusal(joinNewsletter, { name: 'O', email: 'other@example.com' })).toBe('TOO_MANY_TRIES')
})

it('the greeting uses a typed name without its addresses and numbers [SAF-3]', async () => {
  await world
    .visitor()
    .call(joinNewsletter, { name: 'Verify at http://evil.example', email: 'v@example.com' })
  const { subject, text, html } = await lastTo('v@example.com')
  expect([subject, text, html].join()).not.toContain('evil')
  expect(text).toContain('Hello Verify at,')
})

it('an expired, wrong or invented link does nothing [SHL-6]', async () => {
  const email = 'late@example.com'
  await world.visitor().call(joinNewsletter, { name: 'Late', email })
  const code = codeIn((await lastTo(email)).text, 'join')
  for (const wrong of ['x', '..', `${code}x`, code.replace(/^[^.]+/, 'b3RoZXJAZXhhbXBsZS5jb20')])
    expect((await world.visitor().send(confirmNewsletter, { code: wrong })).status, wrong).toBe(400)
  expect((await world.visitor().send(leaveNewsletter, { code })).status).toBe(400)
  world.advance({ days: 8 })
  expect((await world.visitor().send(confirmNewsletter, { code })).status).toBe(400)
  expect((await rowOf(email))!.confirmedAt).toBeNull()
})
