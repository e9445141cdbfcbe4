import { expect, it } from 'vitest'
import { readMessages } from '#contract/chat.ts'
import { endConsultation, getRecord, saveNote } from '#contract/clinical.ts'
import { handBackConsultation } from '#contract/queue.ts'
import { clinicalNotes, consultations } from '#server/db/schema.ts'
import { atOnce } from '#test/at-once.ts'
import { NOTE } from '#test/advice.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()

it('of several windows that save over the same version one succeeds, and the others are told [CON-6]', async () => {
  const { vet, id } = await world.taken()
  for (let version = 0; version < 5; version++) {
    const texts = Array.from({ length: 20 }, (_, window) => `Window ${window}`)
    const replies = await Promise.all(
      texts.map((history) => vet.send(saveNote, { id, version, ...NOTE, history })),
    )
    const saved = texts.filter((_, window) => replies[window]!.status === 200)
    expect(saved).toHaveLength(1)
    for (const { status, body } of replies)
      if (status !== 200) expect(body.code).toBe('NOTE_CHANGED_ELSEWHERE')
    const { note } = await vet.call(getRecord, { id })
    expect([note.version, note.history]).toEqual([version + 1, saved[0]])
  }
})

it('a consult ended many times in parallel ends once, with one message and one mail [CON-6, CON-7]', async () => {
  const { owner, vet, id } = await world.taken()
  const { version } = await vet.call(saveNote, { id, version: 0, ...NOTE })
  const replies = await atOnce(20, () => vet.send(endConsultation, { id, version }))
  for (const { status, body } of replies) expect([status, body.emailed]).toEqual([200, [owner.email]])
  const { messages } = await owner.call(readMessages, { consultation: id })
  expect(messages).toHaveLength(2)
  expect(await world.mailsTo(owner.email)).toHaveLength(1)
})

it('ending a consult while its note is typed and it is handed back signs what was saved last [CON-6]', async () => {
  for (let round = 0; round < 10; round++) {
    const { vet, id } = await world.taken()
    const { version } = await vet.call(saveNote, { id, version: 0, ...NOTE })
    const [save, end, back] = await Promise.all([
      vet.send(saveNote, { id, version, ...NOTE, plan: 'Rest' }),
      vet.send(endConsultation, { id, version }),
      vet.send(handBackConsultation, { id, note: 'x' }),
    ])
    expect(end.status === 200 && (save.status === 200 || back.status === 200)).toBe(false)
    const [note] = await world.rows(clinicalNotes, { consultationId: id })
    const [row] = await world.rows(consultations, { id })
    expect(note!.signedAt !== null).toBe(end.status === 200)
    expect(row!.end !== null).toBe(end.status === 200)
    expect(note!.plan).toBe(save.status === 200 ? 'Rest' : NOTE.plan)
  }
})
