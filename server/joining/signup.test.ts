import { like } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { me, requestResetCode, resetPassword } from '#contract/accounts.ts'
import { signUpWithPolicy } from '#contract/joining.ts'
import { LIMITS } from '#contract/limits.ts'
import { listPets } from '#contract/pets.ts'
import { confirmPolicy } from '#contract/policies.ts'
import { confirmEmail } from '#contract/profile.ts'
import type { Input } from '#contract/call.ts'
import { breeds, consents, mails, pets, subscriptions, users } from '#server/db/schema.ts'
import { solved } from '#test/joining.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld({ env: { SITES: 'au=http://au.localhost' } })
const rows = await world.db.select().from(breeds)
const labrador = rows.find(({ name }) => name === 'Labrador Retriever')!.id
const siamese = rows.find(({ speciesId }) => speciesId === 2)!.id

/** A policy in the insurer's feed, and a browser with a form that names it. */
async function partner(values?: Parameters<typeof world.policy>[0]) {
  const policy = await world.policy(values)
  const form: Input<typeof signUpWithPolicy> = {
    policy: policy.policy,
    fname: 'Zanele',
    sname: 'Dube',
    email: policy.holderEmail,
    mobile: '082 555 0000',
    password: 'Passw0rd',
    pet_name: 'Bella',
    pet_type: 1,
    pet_breed: labrador,
    pet_gender: 0,
    pet_dob: '2021-03-04',
    pet_dob_approximate: true,
    agreed: true,
    terms: '1',
  }
  return { policy, form, browser: world.visitor() }
}
const welcome = (email: string) => world.mailsTo(email, 'welcome')

it('signing up with a policy mails one mailbox at most six times an hour, however many accounts name it and whatever follows a plus sign [SAF-3]', async () => {
  for (let n = 0; n < 9; n++) {
    const { form, browser } = await partner({ holderEmail: `holder+${n}@example.com` })
    const email = `crowd+${n}@example.com`
    expect((await browser.send(signUpWithPolicy, { ...form, email })).status).toBe(200)
  }
  for (const box of ['crowd+%', 'holder+%'])
    expect(await world.db.$count(mails, like(mails.to, box))).toBe(LIMITS.unconfirmedEmail.max)
})

it('signing up with a policy mails one mailbox no more reset codes than that either, whatever follows the plus sign [SAF-3]', async () => {
  const own = await world.owner()
  const further = (n: number) => own.email.replace('@', `+${n}@`)
  for (let n = 0; n < 9; n++) {
    const { form, browser } = await partner()
    await browser.call(signUpWithPolicy, { ...form, email: further(n) })
    await browser.call(requestResetCode, { email: further(n) })
  }
  expect(await world.mailsTo(further(8))).toEqual([])
  expect(await world.db.$count(mails, like(mails.to, own.email.replace('@', '+%@')))).toBe(
    LIMITS.unconfirmedEmail.max,
  )
  await world.nobody.call(requestResetCode, { email: own.email })
  expect((await world.mailsTo(own.email)).map(({ template }) => template)).toEqual(['reset code'])
})

it('signing up with a policy makes the account with its pet, covered once the mailed link is used [JOI-9, D30]', async () => {
  const { form, policy, browser } = await partner({ holderEmail: 'Holder.One@Example.com ' })
  const email = 'holder.one@example.com'
  expect(await browser.call(signUpWithPolicy, { ...form, email })).toEqual({})
  const owner = await world.signedIn(email)
  expect(await owner.call(me, {})).toMatchObject({
    firstName: 'Zanele',
    lastName: 'Dube',
    mobile: '082 555 0000',
    subscription: null,
  })
  const [pet] = await owner.call(listPets, {})
  expect(pet).toMatchObject({
    name: 'Bella',
    sex: 2,
    dob: '2021-03-04',
    dob_approximate: true,
    breed: { id: labrador },
    policy: { policy: policy.policy, confirmed: false },
    cover: { why: 'membership' },
  })
  const letters = await world.mailsTo(email)
  expect(letters.map(({ template }) => template)).toEqual(['welcome'])
  const code = await world.codeTo(email, 'email')
  expect(await world.nobody.call(confirmEmail, { code })).toEqual({ email })
  expect((await owner.call(listPets, {}))[0]).toMatchObject({
    policy: { confirmed: true },
    cover: { state: 'waiting' },
  })
  expect((await owner.call(me, {})).subscription).toMatchObject({ source: 'insurer', price: 0 })
  expect(await world.nobody.refusal(confirmEmail, { code })).toBe('EMAIL_LINK_WRONG')
  const kept = await world.db.select().from(consents)
  expect(kept.at(-1)).toMatchObject({ call: 'signUpWithPolicy', ticked: true, terms: '1' })
})

it("signing up with somebody else's policy gets cover with the code that is mailed to the holder [JOI-9, D15, D30]", async () => {
  const { form, policy, browser } = await partner()
  await browser.call(signUpWithPolicy, { ...form, email: 'other@example.com' })
  const owner = await world.signedIn('other@example.com')
  await world.nobody.call(confirmEmail, { code: await world.codeTo('other@example.com', 'email') })
  expect((await owner.call(listPets, {}))[0]!.policy!.confirmed).toBe(false)
  await owner.call(confirmPolicy, { code: await world.codeTo(policy.holderEmail, 'policy') })
  expect((await owner.call(listPets, {}))[0]!.policy!.confirmed).toBe(true)
})

it('signing up with a policy refuses an email that has an account, and leaves that account unchanged [JOI-9, D30]', async () => {
  const { form, policy, browser } = await partner()
  const owner = await world.person({ email: policy.holderEmail, passwordHash: null })
  const reply = await browser.send(signUpWithPolicy, form)
  expect([reply.status, reply.body.code, reply.body.errors]).toEqual([
    409,
    'EMAIL_HAS_ACCOUNT',
    ['This email already has an account. Sign in to continue.'],
  ])
  const [after] = await world.rows(users, { id: owner.id })
  expect(after!.passwordHash).toBeNull()
  expect(await world.rows(pets, { ownerId: owner.id })).toEqual([])
  expect(await welcome(policy.holderEmail)).toEqual([])
})

it("signing up with a policy can share its address with a guest, whose consult it doesn't get [JOI-9, D30]", async () => {
  const { form, policy, browser } = await partner()
  const guest = await world.person({ email: policy.holderEmail, guest: true, passwordHash: null })
  await browser.call(signUpWithPolicy, form)
  const owner = await world.signedIn(policy.holderEmail)
  expect((await owner.call(me, {})).id).not.toBe(guest.id)
})

it('signing up with a policy needs a live policy that nobody has, and takes the human check after ten look-ups [JOI-9, D15, SAF-5]', async () => {
  const lapsed = await partner({ lapsedAt: world.now() })
  const owner = await world.owner()
  const bound = await partner({ userId: owner.id, boundAt: world.now() })
  const cat = await partner({ speciesId: 2 })
  const { browser } = lapsed
  for (const form of [lapsed.form, bound.form, cat.form, { ...cat.form, policy: 'NONE' }]) {
    expect(await browser.refusal(signUpWithPolicy, form)).toBe('POLICY_INVALID')
  }
  for (let n = 0; n < 8; n++) await browser.send(signUpWithPolicy, { ...cat.form, policy: `NO-${n}` })
  const right = { ...cat.form, pet_type: 2, pet_breed: siamese }
  expect(await browser.refusal(signUpWithPolicy, right)).toBe('HUMAN_CHECK')
  expect(await world.rows(users, { email: cat.form.email })).toEqual([])
  const userConfirmation = await solved(world, 'try_again')
  expect((await browser.send(signUpWithPolicy, { ...right, userConfirmation })).status).toBe(200)
})

it.each([
  [{ policy: '' }, 'policy', 'Invalid Policy Number'],
  [{ fname: ' ' }, 'fname', 'First name can not be empty'],
  [{ sname: '' }, 'sname', 'Last name can not be empty'],
  [{ email: 'x' }, 'email', 'Invalid Email address'],
  [{ mobile: '' }, 'mobile', 'Phone can not be empty'],
  [{ password: undefined }, 'password', 'Password is required'],
  [{ password: 'weak' }, 'password', /^Password must contain/],
  [{ pet_name: '' }, 'pet_name', 'Pet name is required'],
  [{ pet_type: '' }, 'pet_type', 'Pet type is required'],
  [{ pet_breed: null }, 'pet_breed', 'Pet breed is required'],
  [{ pet_gender: 'both' }, 'pet_gender', 'Please check what you entered and try again.'],
  [{ pet_dob: '2999-01-01' }, 'pet_dob', /^Please enter a date of birth/],
])(
  'signing up with a policy says beside the field what is wrong with %o [JOI-9, JOI-3]',
  async (change, field, says) => {
    const { form, browser } = await partner()
    const { status, body } = await browser.send(signUpWithPolicy, { ...form, ...change })
    expect(status).toBe(400)
    expect(body.fields![field]).toMatch(says)
  },
)

it('signing up with a policy accepts a sex as a word or a number, or no sex [JOI-9, D6]', async () => {
  for (const [said, kept] of [
    [1, 1],
    ['male', 1],
    ['0', 2],
    [2, 2],
    ['Female', 2],
    ['', null],
    [null, null],
  ] as const) {
    const { form, browser } = await partner()
    await browser.call(signUpWithPolicy, { ...form, pet_gender: said })
    const owner = await world.signedIn(form.email)
    expect((await owner.call(listPets, {}))[0]!.sex).toBe(kept)
  }
})

it('signing up with a policy needs agreement to the terms if the form asks for it [JOI-9, D18]', async () => {
  const { form, browser } = await partner()
  expect(await browser.refusal(signUpWithPolicy, { ...form, agreed: false })).toBe(
    'PURCHASE_TERMS_NOT_AGREED',
  )
})

it('signing up with a policy belongs to the region of the site [JOI-9, D1]', async () => {
  const { form, browser } = await partner()
  await browser.send(signUpWithPolicy, form, { host: 'au.localhost' })
  const [user] = await world.rows(users, { email: form.email })
  expect(user!.region).toBe('au')
  expect((await welcome(form.email))[0]!.text).toContain('http://au.localhost/confirm-email/')
})

it('signing up with a policy is also confirmed by setting a new password [JOI-9, D30]', async () => {
  const { form, browser } = await partner()
  await browser.call(signUpWithPolicy, form)
  await browser.call(requestResetCode, { email: form.email })
  const code = await world.codeTo(form.email, 'reset')
  await browser.call(resetPassword, { code, password: 'Passw0rd2' })
  const owner = await world.signedIn(form.email, 'Passw0rd2')
  expect((await owner.call(listPets, {}))[0]!.policy!.confirmed).toBe(true)
  expect(await world.rows(subscriptions, { userId: (await owner.call(me, {})).id })).toHaveLength(1)
})
