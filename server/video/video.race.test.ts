import { and, eq, isNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { videoCalls } from '#server/db/schema.ts'
import { openSocket } from '#test/open-socket.ts'
import { createWorld } from '#test/world.ts'

it('a vet who rings two owners from ten pages at once is in one call [CON-5]', async () => {
  const world = await createWorld()
  const address = await world.listen()
  const vet = await world.vet()
  const start = world.now()
  const ids: number[] = []
  for (let i = 0; i < 2; i++) {
    const owner = await world.member()
    const given = { userId: owner.id, petId: owner.pet.id, vetId: vet.id, start, vetStart: start }
    ids.push((await world.consultation(given)).id)
  }
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
  const open = await world.db
    .select()
    .from(videoCalls)
    .where(and(eq(videoCalls.vetId, vet.id), isNull(videoCalls.endedAt)))
  expect(open).toHaveLength(1)
  await world.close()
})
