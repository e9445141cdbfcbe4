import { expect, it } from 'vitest'
import { sendMessageByCall } from '#contract/chat.ts'
import { addPrivateNote, getRecord } from '#contract/clinical.ts'
import { changeLevel, getConsultation } from '#contract/consultations.ts'
import { addMinutes } from '#contract/time.ts'
import { LEVELS } from '#contract/urgency.ts'
import { handOverConsultation, snoozeConsultation, takeConsultation } from '#contract/queue.ts'
import { consultations, levelChanges, users } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

it('of vets who change a level at the same moment one does, and the others are told [TRI-4]', async () => {
  const { id } = await world.waiting()
  const vets = await atOnce(8, () => world.vet())
  const { urgency } = (await vets[0]!.call(getConsultation, { id })).consultation
  const others = LEVELS.filter((level) => level !== urgency!.level)
  const replies = await Promise.all(
    vets.map((vet, at) =>
      vet.send(changeLevel, {
        id,
        from: urgency!.level,
        to: others[at % others.length]!,
        reason: `Seen by vet ${at}`,
      }),
    ),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status, body } of replies) if (status !== 200) expect(body.code).toBe('LEVEL_CHANGED')
  const changes = await world.rows(levelChanges, { consultationId: id })
  expect(changes).toHaveLength(1)
  const winner = replies.findIndex(({ status }) => status === 200)
  expect(changes[0]).toMatchObject({ vetId: vets[winner]!.id, reason: `Seen by vet ${winner}` })
})

it('a case that is put aside while it is handed over isn’t put aside for the colleague [CON-14]', async () => {
  const [vet, colleague] = [await world.vet(), await world.vet()]
  await world.change(users, colleague.id, { onDutySince: world.now() })
  for (let round = 0; round < 5; round++) {
    const { id } = await world.waiting()
    await vet.call(takeConsultation, { id })
    const [snoozed, over] = await Promise.all([
      vet.send(snoozeConsultation, { id, on: true }),
      vet.send(handOverConsultation, { id, vet_id: colleague.id, note: 'She waits for a photo.' }),
    ])
    expect(over.status).toBe(200)
    expect([200, 404]).toContain(snoozed.status)
    const [row] = await world.rows(consultations, { id })
    expect(row).toMatchObject({ vetId: colleague.id, snoozedUntil: null })
  }
})

it('of vets who take a question at the same moment one has it, and the others learn who [CON-12]', async () => {
  const [owner, ended] = [await world.member(), await world.vet()]
  const past = (minutes: number) => addMinutes(world.now(), -minutes)
  const { id } = await world.consultOf(owner, {
    vetId: ended.id,
    start: past(90),
    vetStart: past(85),
    end: past(60),
    outcome: 'Home care',
  })
  await owner.call(sendMessageByCall, { consultation: id, client_id: 'question-1', body: 'Can she eat now?' })
  const vets = await atOnce(8, () => world.vet())
  const replies = await Promise.all(vets.map((vet) => vet.send(takeConsultation, { id })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status, body } of replies)
    if (status !== 200) expect([status, body.code]).toEqual([409, 'CONSULT_TAKEN'])
  const winner = vets[replies.findIndex(({ status }) => status === 200)]!
  const { asked_again } = (await owner.call(getConsultation, { id })).consultation
  expect(asked_again).toMatchObject({ vet_id: winner.id })
})

it('private notes that vets add at the same moment are all kept, each under its name [CON-6]', async () => {
  const { id } = await world.waiting()
  const vets = await atOnce(5, () => world.vet())
  await Promise.all(vets.map((vet, at) => vet.call(addPrivateNote, { id, body: `Seen by vet ${at}` })))
  const again = { id, body: 'Sent twice, its answer got lost' }
  await vets[0]!.call(addPrivateNote, again)
  await vets[0]!.call(addPrivateNote, again)
  const { note } = await vets[0]!.call(getRecord, { id })
  expect(note.additions.map(({ by, body }) => `${by}: ${body}`).toSorted()).toEqual(
    [
      ...vets.map(({ lastName }, at) => `Dr Thandi ${lastName}: Seen by vet ${at}`),
      `Dr Thandi ${vets[0]!.lastName}: ${again.body}`,
    ].toSorted(),
  )
})
