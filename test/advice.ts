import type { Input } from '#contract/call.ts'
import { endConsultation, saveNote } from '#contract/clinical.ts'
import { takeConsultation } from '#contract/queue.ts'
import type { TestWorld } from './world.ts'

export const NOTE = {
  history: 'Ate grapes',
  findings: 'Bright',
  assessment: 'Mild',
  summary: 'She ate four grapes.',
  plan: 'Give water and rest.',
  watch_for: 'Vomiting',
  go_if: 'She collapses',
  outcome: 'home',
} as const

type Vet = Pick<Awaited<ReturnType<TestWorld['vet']>>, 'call'>
type Written = Omit<Input<typeof saveNote>, 'id' | 'version'>

/** The vet who has a consult signs this note and ends it. */
export async function sign(vet: Vet, id: number, note: Written = NOTE) {
  const { version } = await vet.call(saveNote, { id, version: 0, ...note })
  return { version, ...(await vet.call(endConsultation, { id, version })) }
}

/** The same, after the vet has taken it. */
export async function advise(vet: Vet, id: number, note?: Written) {
  await vet.call(takeConsultation, { id })
  return sign(vet, id, note)
}

/** A member's consult that a vet has ended with this note. */
export async function advised(world: TestWorld) {
  const [one, vet] = [await world.waiting(), await world.vet()]
  await advise(vet, one.id)
  return { ...one, vet }
}
