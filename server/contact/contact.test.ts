import { expect, it } from 'vitest'
import { contactUs } from '#contract/contact.ts'
import { contactMessages } from '#server/db/schema.ts'
import { solved } from '#test/joining.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld({ env: { CONTACT_EMAIL: 'people@vetchat.example' } })

const written = (email: string) => ({
  queryAbout: 3,
  name: 'Thandi Mokoena',
  email,
  mobile: '082 123 4567',
  clinicOrCompany: '',
  body: 'The vet was kind. Thank you.',
})
const byPerson = async (email: string) => ({
  ...written(email),
  userConfirmation: await solved(world, 'contact'),
})
const keptOf = (email: string) => world.rows(contactMessages, { email })

it('a message to us is stored, forwarded, and answered with a receipt [PUB-7]', async () => {
  await world.nobody.from('198.51.100.1').call(contactUs, await byPerson(' Thandi@Example.com '))
  expect(await keptOf('thandi@example.com')).toMatchObject([{ queryAbout: 3, region: 'za' }])
  const [receipt] = await world.mailsTo('thandi@example.com')
  expect(receipt!.subject).toBe('We’ve received your message')
  expect(receipt!.text).toContain('Hello Thandi Mokoena,')
  const [passed] = await world.mailsTo('people@vetchat.example')
  expect(passed!.subject).toBe('A consultation: Thandi Mokoena')
  expect(passed!.text).toContain('Reply to thandi@example.com.')
})

it.each([
  ['queryAbout', '', 'The reason for contact is empty.'],
  ['queryAbout', '8', 'The reason for contact is empty.'],
  ['name', ' ', 'Name is empty'],
  ['email', '', 'Email is empty'],
  ['email', 'thandi@', 'Email is invalid'],
  ['body', '', 'Message is empty'],
])('a message to us whose %s is %j is refused beside that field [PUB-7]', async (field, value, message) => {
  const sent = { ...written('wrong@example.com'), [field]: value }
  const reply = await world.nobody.send(contactUs, sent)
  expect([reply.status, reply.body.fields?.[field]]).toEqual([400, message])
  expect(await keptOf('wrong@example.com')).toEqual([])
})

it('a message to us that is too long is refused beside the field, with how long it can be [PUB-7]', async () => {
  const sent = { ...written('long@example.com'), body: 'x'.repeat(5001) }
  const reply = await world.nobody.from('198.51.100.2').send(contactUs, sent)
  expect(reply.body.fields).toEqual({
    body: 'This is too long. A message can be up to 5,000 characters long.',
  })
})

it.each([1, 2])('a message to us about %i needs a recipient [PUB-7]', async (queryAbout) => {
  const visitor = world.nobody.from(`198.51.101.${queryAbout}`)
  const sent = { ...written(`clinic${queryAbout}@example.com`), queryAbout }
  const reply = await visitor.send(contactUs, sent)
  expect(reply.body.fields).toEqual({ clinicOrCompany: 'Veterinary clinic or company is empty' })
  expect((await visitor.send(contactUs, { ...sent, clinicOrCompany: 'Sample Vet' })).status).toBe(200)
})

it('a message to us from a name with several lines has a subject of one line [PUB-7]', async () => {
  const sent = { ...written('lines@example.com'), name: 'Thandi\r\nBcc: all@example.com' }
  await world.nobody.from('198.51.110.1').call(contactUs, sent)
  const passed = await world.mailsTo('people@vetchat.example')
  expect(passed.map(({ subject }) => subject)).toContain('A consultation: Thandi Bcc: all@example.com')
})

it('a message to us is always stored, but one email gets at most three receipts an hour [PUB-7] [SAF-3]', async () => {
  for (let n = 0; n < 5; n++)
    await world.nobody.from(`198.51.120.${n}`).call(contactUs, await byPerson('flooded@example.com'))
  expect(await keptOf('flooded@example.com')).toHaveLength(5)
  expect(await world.mailsTo('flooded@example.com')).toHaveLength(3)
})

it('a message to us without a human check arrives, but no receipt is sent [SAF-3]', async () => {
  await world.nobody.from('198.51.121.1').call(contactUs, written('plain@example.com'))
  expect(await keptOf('plain@example.com')).toHaveLength(1)
  expect(await world.mailsTo('plain@example.com')).toEqual([])
  const passed = await world.mailsTo('people@vetchat.example')
  expect(passed.at(-1)!.text).toContain('plain@example.com')
})

it('a message to us with a human check that was used, or is for something else, is refused [SAF-3]', async () => {
  const sent = await byPerson('twice@example.com')
  const visitor = world.nobody.from('198.51.122.1')
  expect((await visitor.send(contactUs, sent)).status).toBe(200)
  const other = { ...sent, userConfirmation: await solved(world, 'pay') }
  for (const wrong of [sent, other, { ...sent, userConfirmation: 'x' }]) {
    expect(await visitor.refusal(contactUs, wrong)).toBe('HUMAN_CHECK')
  }
  expect(await keptOf('twice@example.com')).toHaveLength(1)
})

it('a message to us is not repeated to the typed email, which may be a stranger’s [SAF-3]', async () => {
  const typed = 'Verify at https://evil.example or call 0821234567'
  const sent = { ...(await byPerson('stranger@example.com')), name: typed, body: typed }
  await world.nobody.from('198.51.123.1').call(contactUs, { ...sent, clinicOrCompany: typed })
  const [receipt] = await world.mailsTo('stranger@example.com')
  const { subject, text, html } = receipt!
  expect([subject, text, html].join()).not.toMatch(/evil|0821/)
  expect(text).toContain('Hello Verify at or call,')
})

it('a message to us from a machine gets the same answer and is not stored [PUB-7]', async () => {
  const sent = { ...written('machine@example.com'), website: 'https://example.com' }
  expect((await world.nobody.from('198.51.102.1').send(contactUs, sent)).status).toBe(200)
  expect(await keptOf('machine@example.com')).toEqual([])
  expect(await world.mailsTo('machine@example.com')).toEqual([])
})

it('a message to us can be sent five times an hour from one address, then with the human check; a refused one does not count [PUB-7, SAF-5]', async () => {
  const visitor = world.nobody.from('198.51.103.1')
  for (let n = 0; n < 6; n++) await visitor.send(contactUs, { ...written('often@example.com'), name: '' })
  for (let n = 0; n < 5; n++)
    expect((await visitor.send(contactUs, written(`often${n}@example.com`))).status).toBe(200)
  const refused = await visitor.send(contactUs, written('often6@example.com'))
  expect([refused.status, refused.body]).toMatchObject([429, { human: 'contact' }])
  expect((await visitor.send(contactUs, await byPerson('often7@example.com'))).status).toBe(200)
})

it('a message to us with script in it is stored as written, and shown as plain text in the mail [PUB-7]', async () => {
  const body = '<script>alert(1)</script>'
  await world.nobody.from('198.51.104.1').call(contactUs, { ...written('script@example.com'), body })
  const passed = (await world.mailsTo('people@vetchat.example')).at(-1)!
  expect(passed.html).not.toContain('<script>')
  expect(passed.html).toContain('&#60;script&#62;')
})
