import { expect, it } from 'vitest'
import { checkIn, chooseClinic, reopenConsultation } from '#contract/aftercare.ts'
import { readMessages, sendMessageByCall } from '#contract/chat.ts'
import { endConsultation, saveNote } from '#contract/clinical.ts'
import { getConsultation, loginByLink } from '#contract/consultations.ts'
import { setDuty } from '#contract/queue.ts'
import { consultations } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { createWorld } from '#test/world.ts'
import { consultLink } from '../consultations/rules.ts'

const world = await createWorld()

async function noted() {
  const { owner, vet, id } = await world.taken()
  const note = { summary: 'She ate grapes.', plan: 'Rest', outcome: 'home' } as const
  const { version } = await vet.call(saveNote, { id, version: 0, ...note })
  const end = () => vet.send(endConsultation, { id, version })
  return { owner, id, end }
}

it('eight parallel presses that reopen a consult get the same new one [CON-8]', async () => {
  const { owner, id, end } = await noted()
  await end()
  const presses = await atOnce(8, () => owner.call(reopenConsultation, { id, query: 'Worse' }))
  expect(new Set(presses.map(({ consultation }) => consultation.id)).size).toBe(1)
  const rows = await world.rows(consultations, { userId: owner.id })
  expect(rows).toHaveLength(2)
})

it('of eight people who open a link at the same time one gets in [CON-9]', async () => {
  const guest = await world.guest()
  const consultation = guest.consultation.id
  const to = { customer: guest.user.publicId, consultation }
  const link = new URL(consultLink(world.world, to), 'http://localhost')
  const replies = await atOnce(8, (at) =>
    world.nobody.from(`10.2.0.${at}`).send(loginByLink, {
      customer_id: to.customer,
      consult_id: consultation,
      expires: link.searchParams.get('expires')!,
      signature: link.searchParams.get('signature')!,
    }),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await world.mailsTo(guest.user.email)).toHaveLength(3)
})

it('a clinic chosen just as the consult ends is written to once [CON-7]', async () => {
  for (let round = 0; round < 4; round++) {
    const { owner, id, end } = await noted()
    const clinic = await world.clinic()
    const choose = () => owner.send(chooseClinic, { id, clinic: clinic.id, agreed: true })
    const replies = await Promise.all([choose(), end(), choose()])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await world.mailsTo(clinic.email)).toHaveLength(1)
  }
})

it('a follow-up answer sent many times in parallel is posted once, and parallel reads store the first wait shown [CON-3, CON-8]', async () => {
  const { owner, id, end } = await noted()
  await end()
  await world.change(consultations, id, { followUpAt: world.now() })
  await atOnce(10, () => owner.call(checkIn, { id, answer: 'better' }))
  const { messages } = await owner.call(readMessages, { consultation: id })
  expect(messages.filter(({ body }) => body.endsWith('is better'))).toHaveLength(1)
  const [vet, other] = [await world.vet(), await world.member()]
  await vet.call(setDuty, { on: true })
  const next = await world.consultOf(other)
  await atOnce(10, () => other.call(getConsultation, { id: next.id }))
  const [row] = await world.rows(consultations, { id: next.id })
  expect(row!.toldTo).toBeGreaterThan(0)
})

it('a consult reopens while its owner’s messages arrive, and all of them are stored [CON-3, CON-8]', async () => {
  for (let round = 0; round < 5; round++) {
    const { owner, id, end } = await noted()
    await end()
    const write = async (at: number) => {
      await owner.call(getConsultation, { id })
      const said = { consultation: id, client_id: `message-${at}`, body: 'Still limping' }
      return owner.send(sendMessageByCall, said)
    }
    const replies = await Promise.all([
      owner.send(reopenConsultation, { id, query: 'Worse' }),
      ...Array.from({ length: 12 }, (_, at) => write(at)),
    ])
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  }
})
