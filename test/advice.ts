import type { Input } from '#contract/call.ts'
import { endConsultation, saveNote } from '#contract/clinical.ts'
import { takeConsultation } from '#contract/queue.ts'
import type { TestWorld } from './world.ts'

/** A vet takes a consult, signs this note and ends it. */
export async function advise(
  vet: Pick<Awaited<ReturnType<TestWorld['vet']>>, 'call'>,
  id: number,
  note: Omit<Input<typeof saveNote>, 'id' | 'version'>,
) {
  await vet.call(takeConsultation, { id })
  const { version } = await vet.call(saveNote, { id, version: 0, ...note })
  return vet.call(endConsultation, { id, version })
}
