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

/** A vet takes a consult, signs this note and ends it. */
export async function advise(
  vet: Pick<Awaited<ReturnType<TestWorld['vet']>>, 'call'>,
  id: number,
  note: Omit<Input<typeof saveNote>, 'id' | 'version'> = NOTE,
) {
  await vet.call(takeConsultation, { id })
  const { version } = await vet.call(saveNote, { id, version: 0, ...note })
  return vet.call(endConsultation, { id, version })
}

/** A member's consult that a vet has ended with this note. */
export async function advised(world: TestWorld) {
  const [one, vet] = [await world.waiting(), await world.vet()]
  await advise(vet, one.id)
  return { ...one, vet }
}
