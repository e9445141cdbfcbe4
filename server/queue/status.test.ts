import { afterEach, expect, it } from 'vitest'
import { queueStatus, setDuty } from '#contract/queue.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

let world: TestWorld
afterEach(() => world.close())

const status = () => world.nobody.call(queueStatus, {})

it('anyone can see whether a vet is on duty, before they type or pay [BUY-13]', async () => {
  world = await createWorld()
  const nobody = { open: true, on_duty: false, hours: null }
  expect(await status()).toEqual(nobody)
  const vet = await world.vet()
  await vet.call(setDuty, { on: true })
  expect(await status()).toEqual({ open: true, on_duty: true, hours: null })
  await vet.call(setDuty, { on: false })
  expect(await status()).toEqual(nobody)
})

it("outside the region's hours visitors see those hours, even with a vet on duty [BUY-13]", async () => {
  world = await createWorld({ env: { REGION: 'au' } })
  const vet = await world.vet()
  await vet.call(setDuty, { on: true })
  const hourInSydney = () =>
    Number(
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Australia/Sydney', hour: '2-digit', hourCycle: 'h23' })
        .format(world.now())
        .slice(0, 2),
    )
  while (hourInSydney() !== 3) world.advance({ hours: 1 })
  expect(await status()).toEqual({
    open: false,
    on_duty: true,
    hours: '6:00am to 12:00am SYD Time',
  })
})
