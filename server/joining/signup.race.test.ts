import { expect, it } from 'vitest'
import { signUpWithPolicy } from '#contract/joining.ts'
import { confirmEmail } from '#contract/profile.ts'
import { pets, subscriptions, users } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

const form = (policy: string, email: string) => ({
  policy,
  fname: 'Zanele',
  sname: 'Dube',
  email,
  mobile: '082 555 0000',
  password: 'Passw0rd',
  pet_name: 'Pixel',
  pet_type: 3,
})

it('eight presses at the same time make one account, with one pet and one mail [JOI-9]', async () => {
  const { policy } = await world.policy({ holderEmail: 'press@example.com', speciesId: 3 })
  const replies = await atOnce(8, () =>
    world.nobody.send(signUpWithPolicy, form(policy, 'press@example.com')),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)])
  const made = await world.rows(users, { email: 'press@example.com' })
  expect(made).toHaveLength(1)
  expect(await world.db.select().from(pets)).toHaveLength(1)
  expect(await world.mailsTo('press@example.com')).toHaveLength(1)
})

it('a link that is opened eight times at the same time adds the policy once [JOI-9, D30]', async () => {
  const code = await world.codeTo('press@example.com', 'email')
  const replies = await atOnce(8, () => world.nobody.send(confirmEmail, { code }))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await world.db.select().from(subscriptions)).toHaveLength(1)
})
