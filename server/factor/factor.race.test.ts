import { TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { login } from '#contract/accounts.ts'
import { checkFactor, startFactor, turnOnFactor } from '#contract/factor.ts'
import { sessions } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { PASSWORD } from '#test/people.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

it('a code that two devices send at the same moment opens one session [PRO-6]', async () => {
  const vet = await world.vet()
  const { key } = await vet.call(startFactor, {})
  const appCode = () => new TOTP({ secret: key }).generate({ timestamp: world.now().getTime() })
  const { recovery_codes: codes } = await vet.call(checkFactor, { code: appCode() })
  await vet.call(turnOnFactor, {})
  world.advance({ seconds: 60 })
  for (const next of [() => codes[0]!, appCode]) {
    const code = next()
    const opened = () => world.rows(sessions, { userId: vet.id })
    const before = (await opened()).length
    const replies = await atOnce(4, (n) =>
      world.nobody.from(`10.61.0.${n}`).send(login, { email: vet.email, password: PASSWORD, code }),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
    expect(await opened()).toHaveLength(before + 1)
    // Wrong codes count.
    world.advance({ minutes: 16 })
  }
})
