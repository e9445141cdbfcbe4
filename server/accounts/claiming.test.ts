import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import {
  askForClaimLink,
  claimAccount,
  login,
  me,
  requestResetCode,
  resetPassword,
} from '#contract/accounts.ts'
import { readMessages, sendMarksByCall } from '#contract/chat.ts'
import { newUserConsultation } from '#contract/checkout.ts'
import { sendSummary } from '#contract/clinical.ts'
import { getConsultation, listConsultations } from '#contract/consultations.ts'
import { ERRORS } from '#contract/errors.ts'
import { subscribe } from '#contract/joining.ts'
import { listReceipts } from '#contract/ledger.ts'
import { listPets } from '#contract/pets.ts'
import { openPerson } from '#contract/people.ts'
import { changeEmail, confirmEmail, exportMyData } from '#contract/profile.ts'
import { addFact, addWeight, getPetRecord, recordNone } from '#contract/records.ts'
import { sendClaimLink } from '#server/accounts/claim-writes.ts'
import { users } from '#server/db/schema.ts'
import { advise } from '#test/advice.ts'
import { newcomer } from '#test/joining.ts'
import { PASSWORD } from '#test/people.ts'
import { openShop, order, person, type Shop } from '#test/shop.ts'

const shop = await openShop()
const { world, visitor, begin } = shop
beforeEach(async () => void (await shop.duty(true)))

const NEW = 'Brandnew1'

async function buy(email = person().email, { pet = 'Biscuit', card = 'tok_visa' } = {}) {
  const sent = order({ card: { token: card }, user: { ...person(), email } })
  const { id, paid, guest } = await shop.buy(sent, { name: pet })
  const comeBack = () => visitor().send(newUserConsultation, begin(paid, sent, { name: pet }))
  return { email, id, inside: guest, comeBack }
}

/** A vet ends the consult, and the plan is mailed. */
async function advised(id: number) {
  const vet = await world.vet()
  await advise(vet, id, { summary: 'She ate four grapes.', plan: 'Rest.', outcome: 'home' })
  return vet
}

const latest = async (email: string, template: string) => (await world.mailsTo(email, template)).at(-1)
/** The newest link to take over what was bought. */
const mailedLink = async (email: string) => (await world.codesTo(email, 'claim')).at(-1)
/** Follows the newest link that confirms this email. */
const confirm = async (email: string) =>
  visitor().call(confirmEmail, { code: await world.codeTo(email, 'email') })

/** What this account shows. */
async function shownTo(browser: ReturnType<Shop['visitor']>) {
  const { consultations } = await browser.call(listConsultations, {})
  return {
    consults: consultations.map(({ id }) => id).toSorted(),
    pets: (await browser.call(listPets, {})).map(({ name }) => name).toSorted(),
    receipts: (await browser.call(listReceipts, {})).length,
  }
}
const NOTHING = { consults: [], pets: [], receipts: 0 }

async function claim(code: string | undefined) {
  const { token } = await visitor().call(claimAccount, { code: code ?? '', password: NEW })
  return token === null ? null : visitor().with(token)
}

it('a guest takes over what they bought with the link in the plan’s mail, and then has the consult, pet and receipt [LOG-14]', async () => {
  const { email, id } = await buy()
  await advised(id)
  const code = await mailedLink(email)
  const account = await claim(code)
  expect((await account!.call(me, {})).email).toBe(email)
  expect(await shownTo(account!)).toEqual({ consults: [id], pets: ['Biscuit'], receipts: 1 })
  expect(await shownTo(await world.signedIn(email, NEW))).toMatchObject({ consults: [id] })
  const again = await visitor().send(claimAccount, { code, password: 'Brandnew2' })
  expect([again.status, again.body.errors]).toEqual([400, [ERRORS.CLAIM_LINK_WRONG.message]])
})

it('a guest who takes over what they bought is told that the account is open, and only a later password is called a change [LOG-14]', async () => {
  const { email, id } = await buy()
  await advised(id)
  await claim(await mailedLink(email))
  const told = async () => (await latest(email, 'password changed'))?.subject
  expect(await told()).toBe('Your VetChat account is open')
  await visitor().call(requestResetCode, { email })
  const code = await world.codeTo(email, 'reset')
  await visitor().call(resetPassword, { code, password: 'Brandnew2' })
  expect(await told()).toBe('Your VetChat password was changed')
})

it('the mail of an account’s plan has no link for taking it over, as there is nothing to take over [LOG-14]', async () => {
  const owner = await world.member()
  const { id } = await world.consultOf(owner)
  await advised(id)
  expect(await latest(owner.email, 'advice')).toBeDefined()
  expect(await mailedLink(owner.email)).toBeUndefined()
})

it('a guest takes over what they bought with the newest link only: a link that was mailed before stops working [LOG-14]', async () => {
  const { email, id } = await buy()
  const vet = await advised(id)
  const first = await mailedLink(email)
  await vet.call(sendSummary, { consultationId: id, summary: 'It was five grapes.' })
  expect((await visitor().send(claimAccount, { code: first, password: NEW })).status).toBe(400)
  expect(await claim(await mailedLink(email))).not.toBeNull()
})

it('a guest takes over what they bought through Forgot your password, which gives everybody the same answer [LOG-14, LOG-6]', async () => {
  const { email, id } = await buy()
  const owner = await world.owner()
  const answers = []
  for (const asked of [email, owner.email, 'nobody-at-all@example.com'])
    answers.push(await visitor().send(requestResetCode, { email: asked }))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(await world.mailsTo('nobody-at-all@example.com')).toEqual([])
  expect(await latest(email, 'reset code')).toBeUndefined()
  const account = await claim(await mailedLink(email))
  expect((await shownTo(account!)).consults).toEqual([id])
})

it('a guest takes over what they bought through Forgot your password, at most three times an hour [LOG-14, LOG-12]', async () => {
  const { email } = await buy()
  for (let n = 0; n < 6; n++) await visitor().call(requestResetCode, { email })
  const mails = await world.mailsTo(email)
  expect(mails.filter(({ template }) => template === 'claim account')).toHaveLength(3)
})

it('a guest takes over what they bought from the room, which mails the link to the purchase’s address at most three times an hour [LOG-14]', async () => {
  const { email, id, inside } = await buy()
  expect((await inside.call(getConsultation, { id })).consultation.guest).toBe(true)
  for (let n = 0; n < 6; n++) expect(await inside.call(askForClaimLink, {})).toEqual({})
  const mails = await world.mailsTo(email, 'claim account')
  expect(mails).toHaveLength(3)
  await claim(await mailedLink(email))
  expect((await inside.send(getConsultation, { id })).status).toBe(401)
})

it('a guest takes over what they bought together with everything else that was bought with the same address [LOG-14]', async () => {
  const { email, id } = await buy()
  const other = await buy(email, { card: 'tok_mastercard' })
  await advised(id)
  await advised(other.id)
  const account = await claim(await mailedLink(email))
  expect(await shownTo(account!)).toEqual({
    consults: [id, other.id],
    pets: ['Biscuit'],
    receipts: 2,
  })
  const rooms = await Promise.all([id, other.id].map((one) => account!.call(getConsultation, { id: one })))
  expect(rooms.map(({ consultation }) => consultation.guest)).toEqual([false, false])
})

it('a guest takes over what they bought within 48 hours [LOG-14]', async () => {
  const { email, inside } = await buy()
  await inside.call(askForClaimLink, {})
  const code = await mailedLink(email)
  world.advance({ hours: 49 })
  expect((await visitor().send(claimAccount, { code, password: NEW })).status).toBe(400)
})

it('a guest takes over what they bought even if the account then has more pets than a membership has places [LOG-14, PET-5]', async () => {
  const { form, browser } = await newcomer(world)
  await browser.call(subscribe, form)
  await buy(form.email, { pet: 'Sixth' })
  const [row] = await world.db.select().from(users).where(eq(users.email, form.email)).limit(1)
  for (const name of ['Two', 'Three', 'Four', 'Five']) await world.pet(row!.id, { name })
  await confirm(form.email)
  const member = await world.signedIn(form.email, form.password)
  expect((await shownTo(member)).pets).toContain('Sixth')
})

it('an email that has an account keeps its password: the link only adds the purchase, since it may have been forwarded [LOG-14, D30]', async () => {
  const owner = await world.owner()
  const { id, inside } = await buy(owner.email)
  expect(await shownTo(owner)).toEqual(NOTHING)
  await advised(id)
  await inside.call(sendMarksByCall, { consultation: id, delivered: 99, seen: 99 })
  const letter = (await latest(owner.email, 'advice'))!
  expect(letter.text).toContain('Add it to my account')
  expect(await claim(await mailedLink(owner.email))).toBeNull()
  expect(await shownTo(owner)).toEqual({ consults: [id], pets: ['Biscuit'], receipts: 1 })
  const { marks } = await owner.call(readMessages, { consultation: id })
  expect(marks.map(({ user_id }) => user_id)).toContain(owner.id)
  expect(await shownTo(await world.signedIn(owner.email, PASSWORD))).toMatchObject({ consults: [id] })
  expect((await visitor().send(login, { email: owner.email, password: NEW })).status).toBe(401)
})

it('an email that has an account doesn’t open a vet’s or admin’s account to a forwarded link either [LOG-14, D30]', async () => {
  const admin = await world.admin()
  const { id } = await buy(admin.email)
  await advised(id)
  expect(await claim(await mailedLink(admin.email))).toBeNull()
  expect((await visitor().send(login, { email: admin.email, password: NEW })).status).toBe(401)
})

it('an email that has an account gets the purchase only through the link, not by a new password [D30]', async () => {
  const owner = await world.owner()
  await buy(owner.email)
  await visitor().call(requestResetCode, { email: owner.email })
  const code = await world.codeTo(owner.email, 'reset')
  await visitor().call(resetPassword, { code, password: NEW })
  expect(await shownTo(await world.signedIn(owner.email, NEW))).toEqual(NOTHING)
})

it('an email that has an account gets the purchase even when the account was made after the link was mailed [LOG-14]', async () => {
  const { email, id, inside } = await buy()
  await inside.call(askForClaimLink, {})
  const code = await mailedLink(email)
  const owner = await world.owner({ email })
  expect(await claim(code)).toBeNull()
  expect((await shownTo(owner)).consults).toEqual([id])
})

it('an email that a stranger signed up with first shows the stranger nothing: the link sets a new password and signs them out [LOG-14, D30]', async () => {
  const { email, id } = await buy()
  const stranger = await world.owner({ email, emailConfirmedAt: null })
  expect(await shownTo(stranger)).toEqual(NOTHING)
  await advised(id)
  const account = await claim(await mailedLink(email))
  expect((await shownTo(account!)).consults).toEqual([id])
  expect((await stranger.send(me)).status).toBe(401)
  expect((await visitor().send(login, { email, password: PASSWORD })).status).toBe(401)
})

it('an email that a stranger signed up with shows the stranger and support none of its mails, even after the stranger has left it [D30, PRO-5]', async () => {
  const stranger = await world.owner({ email: person().email, emailConfirmedAt: null })
  const admin = await world.admin()
  const { id } = await buy(stranger.email)
  await advised(id)
  const mailed = async () => [
    ...((await stranger.call(exportMyData, {})) as { mails: { to: string }[] }).mails,
    ...(await admin.call(openPerson, { id: stranger.id })).mails.latest,
  ]
  expect(await mailed()).toEqual([])
  const { email } = person()
  await stranger.call(changeEmail, { email, password: PASSWORD })
  await confirm(email)
  expect(new Set((await mailed()).map(({ to }) => to))).toEqual(new Set([email]))
})

it('an email that has an account gets nothing of what a stranger bought with it, and the stranger gets nothing of the account [LOG-14, D30]', async () => {
  const { email, id, inside, comeBack } = await buy()
  await advised(id)
  expect((await comeBack()).status).toBe(200)
  const account = await claim(await mailedLink(email))
  expect((await shownTo(account!)).consults).toEqual([id])
  for (const reply of [await inside.send(getConsultation, { id }), await inside.send(me), await comeBack()])
    expect([401, 403]).toContain(reply.status)
})

it('a new account with a guest’s address shows what was bought once its email is confirmed, and says so in the welcome mail [LOG-14, D30]', async () => {
  const { form, browser } = await newcomer(world)
  const bought = await buy(form.email)
  await browser.call(subscribe, form)
  const member = await world.signedIn(form.email, form.password)
  expect((await shownTo(member)).consults).toEqual([])
  const letter = (await latest(form.email, 'welcome'))!
  expect(letter.text).toContain('the consults you bought with this address')
  await confirm(form.email)
  const shown = await shownTo(member)
  expect(shown.consults).toEqual([bought.id])
  expect(shown.pets).toContain('Biscuit')
  expect((await bought.inside.send(getConsultation, { id: bought.id })).status).toBe(401)
  expect((await bought.comeBack()).status).toBe(401)
})

it('a new account with a guest’s address merges the same pet typed at two purchases, and keeps what either says [LOG-14, PET-1]', async () => {
  const { form, browser } = await newcomer(shop.world)
  const first = await buy(form.email, { pet: ` ${form.pet.name.toUpperCase()}` })
  const second = await buy(form.email, { pet: form.pet.name, card: 'tok_mastercard' })
  const { consultation } = await first.inside.call(getConsultation, { id: first.id })
  const guests = { id: consultation.pet.id! }
  await first.inside.call(addWeight, { ...guests, kg: 24 })
  await first.inside.call(addFact, { ...guests, kind: 'allergy', name: 'Penicillin', detail: '' })
  await first.inside.call(recordNone, { ...guests, kind: 'condition' })
  await browser.call(subscribe, form)
  const member = await world.signedIn(form.email, form.password)
  const [own] = await member.call(listPets, {})
  await member.call(recordNone, { id: own!.id, kind: 'allergy' })
  await member.call(addFact, { id: own!.id, kind: 'condition', name: 'Diabetes', detail: '' })
  await confirm(form.email)

  expect((await shownTo(member)).consults).toEqual([first.id, second.id])
  expect((await member.call(listPets, {})).map(({ id, name }) => [id, name])).toEqual([[own!.id, own!.name]])
  for (const { id } of [first, second])
    expect((await member.call(getConsultation, { id })).consultation.pet.id).toBe(own!.id)
  const record = await member.call(getPetRecord, { id: own!.id })
  expect(record.weights.map(({ kg }) => kg)).toEqual([24])
  expect(record.facts.map(({ name }) => name).toSorted()).toEqual(['Diabetes', 'Penicillin'])
  expect(record.none).toEqual([])
})

it('a new account with a guest’s address keeps pets apart if their species or name differs, or one has died [LOG-14, PET-11]', async () => {
  const { form, browser } = await newcomer(shop.world)
  await buy(form.email, { pet: 'Rex' })
  await browser.call(subscribe, form)
  const member = await world.signedIn(form.email, form.password)
  const { id: ownerId } = await member.call(me, {})
  await shop.world.pet(ownerId, { name: 'Rex', speciesId: 2 })
  await shop.world.pet(ownerId, { name: 'Rex', putAwayAt: shop.world.now(), putAwayWhy: 'died' })
  await confirm(form.email)
  expect((await shownTo(member)).pets.filter((name) => name === 'Rex')).toHaveLength(2)
})

it('a new account with a guest’s address shows it once a reset code has confirmed the email too [LOG-14]', async () => {
  const { email, id } = await buy()
  await world.owner({ email, emailConfirmedAt: null })
  await visitor().call(requestResetCode, { email })
  const code = await world.codeTo(email, 'reset')
  await visitor().call(resetPassword, { code, password: NEW })
  expect((await shownTo(await world.signedIn(email, NEW))).consults).toEqual([id])
})

it('a new account with a guest’s address shows it when an account changes its email to that address and confirms it, and says so in the mail [LOG-14]', async () => {
  const { email, id } = await buy()
  const owner = await world.owner()
  await owner.call(changeEmail, { email, password: PASSWORD })
  expect((await shownTo(owner)).consults).toEqual([])
  const letter = (await latest(email, 'confirm email'))!
  expect(letter.text).toContain('the person who did could then read your consults')
  await confirm(email)
  expect((await shownTo(owner)).consults).toEqual([id])
})

it('a person who was entered without a password sets one through the link [LOG-14]', async () => {
  const entered = await world.owner({ passwordHash: null, emailConfirmedAt: null })
  await sendClaimLink(world.world, entered.id)
  const account = await claim(await mailedLink(entered.email))
  expect((await account!.call(me, {})).id).toBe(entered.id)
})
