import { expect, it } from 'vitest'
import { requestResetCode, resetPassword } from '#contract/accounts.ts'
import { createWorld } from '#test/world.ts'
import { mailedCodes } from '../db/schema.ts'

it('used and expired codes are deleted after a month, open ones stay [LOG-4]', async () => {
  const world = await createWorld()
  const [user, sleeper, late] = [await world.owner(), await world.owner(), await world.owner()]
  const codeFor = async (email: string) => {
    await world.nobody.call(requestResetCode, { email })
    return world.codeTo(email, 'reset')
  }
  const code = await codeFor(user.email)
  await codeFor(sleeper.email)
  const whose = async () => (await world.db.select().from(mailedCodes)).map(({ userId }) => userId).toSorted()
  await world.nobody.call(resetPassword, { code, password: 'Passw0rd2' })
  await world.pass({ days: 29 })
  expect(await whose()).toEqual([user.id, sleeper.id])
  world.advance({ days: 2 })
  await codeFor(late.email)
  await world.runDue()
  expect(await whose()).toEqual([late.id])
})
