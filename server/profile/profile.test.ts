import { like } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { accountChanged, login, me, requestResetCode, resetPassword } from '#contract/accounts.ts'
import {
  changeEmail,
  confirmEmail,
  endOtherSessions,
  endSession,
  listSessions,
  updateMe,
  updatePassword,
} from '#contract/profile.ts'
import { ERRORS } from '#contract/errors.ts'
import { LIMITS } from '#contract/limits.ts'
import { customers, mails, users } from '#server/db/schema.ts'
import { PaymentsOutOfReach, type Payments } from '#server/providers/payments.ts'
import { openSocket } from '#test/open-socket.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld } from '#test/world.ts'

let lastAddress = 0
/** A browser with a network address that hasn't been used yet. */
const elsewhere = () => world.nobody.from(`10.2.${Math.floor(++lastAddress / 250)}.${lastAddress % 250}`)

/** What the provider was told about its customers; it fails for one of them. */
const told: Record<string, object> = {}
const payments = {
  publishableKey: null,
  async updateCustomer(customer: string, who: object) {
    if (customer === 'cus_dead') throw new PaymentsOutOfReach('away')
    told[customer] = who
  },
} as unknown as Payments

const world = await createWorld({ payments })
const address = await world.listen()

/** An open page with this token: the pushes it gets, and whether it is connected. */
async function openPage(token: string) {
  const socket = openSocket(address, token)
  const heard: string[] = []
  socket.onAny((name: string, payload: unknown) => void heard.push(`${name} ${JSON.stringify(payload)}`))
  const gone = new Promise((resolve) => socket.once('disconnect', resolve))
  await new Promise((resolve) => socket.once('connect', () => resolve(undefined)))
  const hears = (name: string) => new Promise((resolve) => socket.once(name, resolve))
  return { socket, heard, hears, gone }
}

const DETAILS = { firstName: 'Lerato', lastName: 'Dube', mobile: '083 000 1111' }

it('details drop everything else that is sent [PRO-1]', async () => {
  const owner = await world.owner()
  const sent = { ...DETAILS, email: 'x@example.com', type: 3, region: 'au', can_consult: false, id: 1 }
  const reply = await owner.send(updateMe, { ...sent, customer_id: 'cus_other', passwordHash: 'x' })
  expect(reply.status).toBe(200)
  const { id, email, type, region, publicId } = owner
  expect(reply.body).toMatchObject({ id, email, type, region, customer_id: publicId, can_consult: true })
})

it('details ask for first name, last name and mobile, with a message beside each [PRO-2]', async () => {
  const owner = await world.owner()
  const reply = await owner.send(updateMe, { firstName: '  ', lastName: '', mobile: ' ' })
  expect([reply.status, reply.body.fields]).toEqual([
    400,
    {
      firstName: 'First name can not be empty',
      lastName: 'Last name can not be empty',
      mobile: 'Phone can not be empty',
    },
  ])
  expect(reply.body.errors).toEqual(Object.values(reply.body.fields!))
  expect((await owner.call(me, {})).firstName).toBe('Thandi')
})

it('details refuse a mobile number that a vet can’t call, but keep one that was stored before [PRO-2]', async () => {
  const owner = await world.owner({ mobile: 'ask my son' })
  const kept = { ...DETAILS, mobile: 'ask my son' }
  expect((await owner.call(updateMe, kept)).mobile).toBe('ask my son')
  const reply = await owner.send(updateMe, { ...DETAILS, mobile: '12' })
  expect([reply.status, reply.body.fields]).toEqual([400, { mobile: 'This number has too few digits' }])
  for (const mobile of ['+27830001111', '\u202a+27 83 000 1111\u202c'])
    expect((await owner.call(updateMe, { ...DETAILS, mobile })).mobile).toBe('083 000 1111')
})

it('details let people choose which mails they want [PRO-5]', async () => {
  const owner = await world.owner()
  await owner.call(updateMe, { ...DETAILS, notifications: { news: true } })
  const user = await owner.call(updateMe, { ...DETAILS, notifications: { care: false } })
  expect(user.notifications).toEqual({ care: false, check_in: true, news: true })
})

it("details are pushed to the person's other open pages [PRO-1]", async () => {
  const owner = await world.owner()
  const page = await openPage(owner.token)
  const hears = page.hears(accountChanged.push)
  await owner.call(updateMe, DETAILS)
  expect(await hears).toEqual({ what: ['me'] })
})

const change = { passwordCurrent: PASSWORD, passwordNew: 'Brandnew1' }

it('a new password ends every other session and its pages; this one continues [PRO-3, LOG-11]', async () => {
  const owner = await world.owner()
  const other = await world.signIn(owner.id)
  const [here, there] = [await openPage(owner.token), await openPage(other)]
  const { token } = await owner.call(updatePassword, change)
  await there.gone
  expect(there.heard).toContain('sessionEnded {}')
  expect((await elsewhere().with(other).send(me)).status).toBe(401)
  expect((await elsewhere().with(token).send(me)).status).toBe(200)
  expect(here.socket.connected).toBe(true)
  const { email } = owner
  expect((await elsewhere().send(login, { email, password: PASSWORD })).status).toBe(401)
  expect((await elsewhere().send(login, { email, password: 'Brandnew1' })).status).toBe(200)
  const [mail] = await world.mailsTo(email)
  expect(mail!.subject).toBe('Your VetChat password was changed')
  expect(mail!.text).toContain('every other device was signed out')
})

it('a new password restarts the lifetime of this session [PRO-3]', async () => {
  const owner = await world.owner()
  world.advance({ hours: 11 })
  const { token } = await owner.call(updatePassword, change)
  world.advance({ hours: 11 })
  expect((await elsewhere().with(token).send(me)).status).toBe(200)
})

it('a new password needs the current one and a strong new one, and changes nothing otherwise [PRO-3, LOG-8]', async () => {
  const owner = await world.owner()
  const other = await world.signIn(owner.id)
  const wrong = await owner.send(updatePassword, { ...change, passwordCurrent: 'Wrong0ne' })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'CURRENT_PASSWORD_WRONG'])
  expect(wrong.body.fields).toEqual({ passwordCurrent: ERRORS.CURRENT_PASSWORD_WRONG.message })
  const weak = await owner.send(updatePassword, { ...change, passwordNew: 'weak' })
  expect(weak.body.fields).toEqual({ passwordNew: ERRORS.WEAK_PASSWORD.message })
  const empty = await owner.send(updatePassword, {})
  expect(Object.keys(empty.body.fields!)).toEqual(['passwordCurrent', 'passwordNew'])
  expect((await elsewhere().with(other).send(me)).status).toBe(200)
  expect(await world.mailsTo(owner.email)).toEqual([])
})

it('a new password counts wrong current passwords, and not right ones [PRO-3, LOG-12]', async () => {
  const owner = await world.owner()
  const weak = { passwordCurrent: PASSWORD, passwordNew: PASSWORD }
  for (let n = 0; n < 12; n++) expect((await owner.send(updatePassword, weak)).status).toBe(200)
  const wrong = { ...change, passwordCurrent: 'Wrong0ne' }
  const replies = await Promise.all(Array.from({ length: 14 }, () => owner.send(updatePassword, wrong)))
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(10)
  expect((await owner.send(updatePassword, change)).status).toBe(429)
  world.advance({ minutes: 16 })
  expect((await owner.send(updatePassword, change)).status).toBe(200)
})

it('a new password is mailed at most six times an hour to an address that was never confirmed, however often it changes [SAF-3]', async () => {
  const email = 'bystander@example.com'
  const made = await world.owner({ email, emailConfirmedAt: null })
  const same = { passwordCurrent: PASSWORD, passwordNew: PASSWORD }
  for (let n = 0; n < 9; n++) expect((await made.send(updatePassword, same)).status).toBe(200)
  expect(await world.mailsTo(email)).toHaveLength(LIMITS.unconfirmedEmail.max)
})

it('a new password makes earlier mailed links and codes useless [PRO-3, LOG-7]', async () => {
  const owner = await world.owner()
  await elsewhere().call(requestResetCode, { email: owner.email })
  await owner.call(changeEmail, { email: 'later@example.com', password: PASSWORD })
  const code = await world.codeTo(owner.email, 'reset')
  const link = await linkTo('later@example.com')
  await owner.call(updatePassword, change)
  expect((await elsewhere().send(resetPassword, { code, password: 'Brandnew2' })).status).toBe(400)
  expect((await elsewhere().send(confirmEmail, { code: link })).status).toBe(400)
})

const linkTo = (email: string) => world.codeTo(email, 'email')

it('a new email takes effect with the link mailed to it, once, and the old address gets a notice [PRO-5]', async () => {
  const owner = await world.owner()
  await world.add(customers, { userId: owner.id, stripeCustomer: 'cus_known' })
  const email = 'thandi.new@example.com'
  expect(await owner.call(changeEmail, { email: ` ${email.toUpperCase()}`, password: PASSWORD })).toEqual({})
  expect((await owner.call(me, {})).email).toBe(owner.email)
  const [notice] = await world.mailsTo(owner.email)
  expect(notice!.text).toContain(email)
  expect(notice!.text).not.toContain('confirm-email')
  const code = await linkTo(email)
  expect(await elsewhere().call(confirmEmail, { code })).toEqual({ email })
  expect((await owner.call(me, {})).email).toBe(email)
  expect((await elsewhere().send(login, { email, password: PASSWORD })).status).toBe(200)
  expect((await elsewhere().send(login, { email: owner.email, password: PASSWORD })).status).toBe(401)
  expect((await world.mailsTo(owner.email)).at(-1)!.subject).toBe('Your VetChat email was changed')
  expect(told['cus_known']).toEqual({ email, name: `Thandi ${owner.lastName}` })
  const again = await elsewhere().send(confirmEmail, { code })
  expect(again.body.errors).toEqual([ERRORS.EMAIL_LINK_WRONG.message])
})

it('a new email is mailed to one mailbox at most six times an hour, however many accounts name it [SAF-3]', async () => {
  const mailed = async () => {
    const rows = await world.db.select().from(mails).where(like(mails.to, 'target+%'))
    return rows.length
  }
  for (let n = 0; n < 9; n++) {
    const owner = await world.owner()
    const asked = { email: `target+${n}@example.com`, password: PASSWORD }
    expect((await owner.send(changeEmail, asked)).status).toBe(200)
  }
  expect(await mailed()).toBe(LIMITS.unconfirmedEmail.max)
})

it('a new email mails a stranger nothing that the sender could have written [PRO-5]', async () => {
  const owner = await world.owner({ firstName: 'Your prize waits at evil.example' })
  await owner.call(changeEmail, { email: 'stranger@example.com', password: PASSWORD })
  const [letter] = await world.mailsTo('stranger@example.com')
  expect(letter!.text).toMatch(/^Hello,/)
  expect(letter!.text + letter!.html).not.toContain('evil.example')
})

it('a new email takes effect even if the provider is out of reach, and is pushed to open pages [PRO-5]', async () => {
  const owner = await world.owner()
  await world.add(customers, { userId: owner.id, stripeCustomer: 'cus_dead' })
  await owner.call(changeEmail, { email: 'dead@example.com', password: PASSWORD })
  const page = await openPage(owner.token)
  const hears = page.hears(accountChanged.push)
  await elsewhere().call(confirmEmail, { code: await linkTo('dead@example.com') })
  expect(await hears).toEqual({ what: ['me'] })
  expect((await owner.call(me, {})).email).toBe('dead@example.com')
})

it('a new email needs the password, counts wrong ones, and can be requested five times an hour [PRO-5, LOG-12]', async () => {
  const owner = await world.owner()
  const asked = (password: string) => owner.send(changeEmail, { email: 'n@example.com', password })
  const wrong = await asked('Wrong0ne')
  expect(wrong.body.fields).toEqual({ password: ERRORS.CURRENT_PASSWORD_WRONG.message })
  expect(await world.mailsTo('n@example.com')).toEqual([])
  for (let n = 0; n < 5; n++) expect((await asked(PASSWORD)).status).toBe(200)
  expect((await asked(PASSWORD)).status).toBe(429)
  const same = await owner.send(changeEmail, { email: owner.email, password: PASSWORD })
  expect(same.body.fields).toEqual({ email: 'This is already your email.' })
})

it('a new email gets the same answer if the address has an account, and its mailbox gets no link [PRO-5]', async () => {
  const [owner, other] = [await world.owner(), await world.owner()]
  const free = await owner.send(changeEmail, { email: 'free@example.com', password: PASSWORD })
  const taken = await owner.send(changeEmail, { email: other.email, password: PASSWORD })
  expect([taken.status, taken.text]).toEqual([free.status, free.text])
  const [mail] = await world.mailsTo(other.email)
  expect(mail!.subject).toBe('This email already has a VetChat account')
  expect(mail!.text).not.toContain('confirm-email')
  expect(mail!.text).not.toContain(owner.email)
  expect(await world.mailsTo(owner.email)).toHaveLength(2)
})

it('a new email that has got an account in the meantime is refused [PRO-5]', async () => {
  const owner = await world.owner()
  await owner.call(changeEmail, { email: 'meanwhile@example.com', password: PASSWORD })
  const code = await linkTo('meanwhile@example.com')
  await world.owner({ email: 'meanwhile@example.com' })
  expect(await elsewhere().refusal(confirmEmail, { code })).toBe('EMAIL_LINK_WRONG')
  expect((await owner.call(me, {})).email).toBe(owner.email)
})

it('a new email has a link that works for 48 hours, or until a newer one replaces it [PRO-5]', async () => {
  const owner = await world.owner()
  await owner.call(changeEmail, { email: 'one@example.com', password: PASSWORD })
  const first = await linkTo('one@example.com')
  await owner.call(changeEmail, { email: 'two@example.com', password: PASSWORD })
  const second = await linkTo('two@example.com')
  expect((await elsewhere().send(confirmEmail, { code: first })).status).toBe(400)
  world.advance({ hours: 49 })
  expect((await elsewhere().send(confirmEmail, { code: second })).status).toBe(400)
  const [row] = await world.rows(users, { id: owner.id })
  expect(row!.email).toBe(owner.email)
})

const idOf = (token: string) => String(decodeJwt(token)['sid'])

it("sessions are listed with the browser's name, latest first, and only while they are open [PRO-5]", async () => {
  const owner = await world.owner()
  const { email } = owner
  const agent = { 'user-agent': 'Firefox on Linux' }
  const firefox = await elsewhere().send(login, { email, password: PASSWORD }, agent)
  const over = await elsewhere().with((await elsewhere().call(login, { email, password: PASSWORD })).token)
  await over.call(endOtherSessions, {})
  const rows = async (token: string) => elsewhere().with(token).call(listSessions, {})
  expect((await rows(over.token!)).map(({ here }) => here)).toEqual([true])
  world.advance({ hours: 1 })
  const { token } = (await elsewhere().send(login, { email, password: PASSWORD }, agent)).body
  const list = await rows(token)
  expect(list.map(({ here, agent }) => [here, agent])).toEqual([
    [true, 'Firefox on Linux'],
    [false, 'lightMyRequest'],
  ])
  expect(list.map(({ id }) => id)).not.toContain(idOf(firefox.body.token))
  world.advance({ hours: 12 })
  const late = await world.signIn(owner.id)
  expect(await rows(late)).toHaveLength(1)
})

it("sessions can be ended one by one, and their pages are told; the id of one can't sign in [PRO-5]", async () => {
  const owner = await world.owner()
  const other = await world.signIn(owner.id)
  const page = await openPage(other)
  expect((await elsewhere().with(idOf(other)).send(me)).status).toBe(401)
  expect(await owner.call(endSession, { id: idOf(other) })).toEqual({})
  await page.gone
  expect(page.heard).toContain('sessionEnded {}')
  expect((await elsewhere().with(other).send(me)).status).toBe(401)
  expect((await owner.send(me)).status).toBe(200)
  expect((await owner.send(endSession, { id: idOf(other) })).status).toBe(404)
})

it('sessions can all be ended together, except this one [PRO-5]', async () => {
  const owner = await world.owner()
  const others = [await world.signIn(owner.id), await world.signIn(owner.id)]
  const page = await openPage(others[0]!)
  await owner.call(endOtherSessions, {})
  await page.gone
  for (const token of others) expect((await elsewhere().with(token).send(me)).status).toBe(401)
  expect((await owner.send(me)).status).toBe(200)
})
