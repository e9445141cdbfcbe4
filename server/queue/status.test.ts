import { expect, it } from 'vitest'
import { getConsultation } from '#contract/consultations.ts'
import { queueStatus, setDuty } from '#contract/queue.ts'
import { openSocket } from '#test/open-socket.ts'
import { createWorld, type TestWorld } from '#test/world.ts'

let world: TestWorld

const status = () => world.nobody.call(queueStatus, {})

it('anyone can see whether a vet is on duty, before they type or pay [BUY-13]', async () => {
  world = await createWorld()
  const nobody = { open: true, on_duty: false, vets: 0, minutes: null, next: null, hours: null }
  expect(await status()).toEqual(nobody)
  const vet = await world.vet()
  await vet.call(setDuty, { on: true })
  expect(await status()).toEqual({
    open: true,
    on_duty: true,
    vets: 1,
    minutes: [1, 5],
    next: null,
    hours: null,
  })
  await vet.call(setDuty, { on: false })
  expect(await status()).toEqual(nobody)
})

it("outside the region's hours visitors see the hours and no wait, even with a vet on duty [BUY-13] [CON-13]", async () => {
  world = await createWorld({ env: { REGION: 'au' } })
  const vet = await world.vet('au')
  await vet.call(setDuty, { on: true })
  const hourInSydney = () =>
    Number(
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Australia/Sydney', hour: '2-digit', hourCycle: 'h23' })
        .format(world.now())
        .slice(0, 2),
    )
  while (hourInSydney() !== 3) world.advance({ hours: 1 })
  expect(await status()).toMatchObject({
    open: false,
    on_duty: true,
    minutes: null,
    hours: '6:00am to 12:00am SYD Time',
  })
})

it('the wait before paying is the one that the room then shows, and never shorter than the queue allows [CON-13]', async () => {
  world = await createWorld()
  await (await world.vet()).call(setDuty, { on: true })
  const owners = [await world.member(), await world.member()]
  const start = (owner: (typeof owners)[0]) => world.consultOf(owner)
  const room = async (owner: (typeof owners)[0], id: number) =>
    (await owner.call(getConsultation, { id })).consultation.waiting
  const first = await start(owners[0]!)
  world.advance({ minutes: 39 })
  const { minutes } = await status()
  expect(minutes![0]).toBeGreaterThanOrEqual(30)
  const second = await start(owners[1]!)
  expect(await room(owners[1]!, second.id)).toMatchObject({ place: 2, minutes })
  // An owner who has waited for 39 minutes isn’t told that it takes one more.
  expect((await room(owners[0]!, first.id))!.minutes![0]).toBeGreaterThanOrEqual(15)
})

it('an owner who waits learns straight away that a vet went on or off duty [CON-13]', async () => {
  world = await createWorld()
  const [vet, owner] = [await world.vet(), await world.member()]
  const { id } = await world.consultOf(owner)
  const page = openSocket(await world.listen(), owner.token)
  await page.emitWithAck('joinRoom', { consultation: id })
  const wait = async () => (await owner.call(getConsultation, { id })).consultation.waiting!.minutes
  for (const on of [true, false]) {
    const told = new Promise((resolve) => page.once('consultationChanged', resolve))
    await vet.call(setDuty, { on })
    expect(await told).toEqual({ consultation: id })
    expect((await wait()) !== null).toBe(on)
  }
})
