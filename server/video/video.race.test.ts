import { expect, it } from 'vitest'
import { getCall } from '#contract/video.ts'
import { videoCalls } from '#server/db/schema.ts'
import { openSocket } from '#test/open-socket.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
const address = await world.listen()

/** A consult that this vet has taken, and its owner. */
async function takenBy(vetId: number) {
  const owner = await world.member()
  const start = world.now()
  const { id } = await world.consultOf(owner, { vetId, start, vetStart: start })
  return { owner, id }
}

it('a vet who rings two owners from ten pages at the same time is in one call [CON-5]', async () => {
  const vet = await world.vet()
  const ids = [(await takenBy(vet.id)).id, (await takenBy(vet.id)).id]
  const sockets = Array.from({ length: 10 }, () => openSocket(address, vet.token))
  const answers = await Promise.all(
    sockets.map(
      (socket, at) =>
        socket.emitWithAck('joinCall', { consultation: ids[at % 2], device: `device-${at}` }) as Promise<{
          ok?: object
          code?: string
        }>,
    ),
  )
  expect(answers.filter(({ ok }) => ok)).toHaveLength(5)
  expect(new Set(answers.flatMap(({ code }) => code ?? []))).toEqual(new Set(['CALL_ELSEWHERE']))
  const open = await world.rows(videoCalls, { vetId: vet.id, endedAt: null })
  expect(open).toHaveLength(1)
})

it('a vet who rings again while leaving stays in the call that the ring returns [CON-5]', async () => {
  const vet = await world.vet()
  const { owner, id } = await takenBy(vet.id)
  const socket = openSocket(address, vet.token)
  const ask = async (event: string, device: string) =>
    (await socket.emitWithAck(event, { consultation: id, device })) as { ok?: { call: { id: number } } }
  await ask('joinCall', 'device-0')
  for (let at = 0; at < 8; at++) {
    const [, again] = await Promise.all([
      ask('leaveCall', `device-${at}`),
      ask('joinCall', `device-${at + 1}`),
    ])
    const { call } = await owner.call(getCall, { consultation: id })
    expect(call).toMatchObject({ id: again.ok!.call.id, vet_device: `device-${at + 1}` })
  }
})
