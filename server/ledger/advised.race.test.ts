import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { sendMessageByCall } from '#contract/chat.ts'
import { cancelConsultation } from '#contract/consultations.ts'
import { handBackConsultation, takeConsultation } from '#contract/queue.ts'
import { consultations, messages, refunds } from '#server/db/schema.ts'
import { payingGuest } from '#test/paid.ts'
import { createWorld } from '#test/world.ts'

it('a consult that a vet answers while its owner cancels is either advised or refunded [SAF-7]', async () => {
  const world = await createWorld()
  const vet = await world.vet()
  for (let round = 0; round < 4; round++) {
    const guest = await payingGuest(world)
    const { id } = guest.consultation
    const isTaken = round % 2 === 0
    if (isTaken) await vet.call(takeConsultation, { id })
    const answer = async () => {
      if (!isTaken) await vet.send(takeConsultation, { id })
      await vet.send(sendMessageByCall, {
        consultation: id,
        client_id: randomUUID(),
        body: 'Go to a clinic.',
      })
      await vet.send(handBackConsultation, { id, note: 'My network is bad' })
    }
    const leave = async () => {
      for (let press = 0; press < 6; press++) await guest.send(cancelConsultation, { id })
    }
    await Promise.all([answer(), leave()])
    await guest.send(cancelConsultation, { id })
    await world.runDue()
    const [row] = await world.rows(consultations, { id })
    expect(row!.cancelledAt).not.toBeNull()
    const written = await world.rows(messages, { userId: vet.id })
    const isAdvised = written.some(({ consultationId }) => consultationId === id)
    if (isTaken) expect(isAdvised).toBe(true)
    expect(await world.rows(refunds, { chargeId: guest.charge.id })).toHaveLength(isAdvised ? 0 : 1)
  }
})
