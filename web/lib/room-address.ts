import { CONSULT_TYPES } from '#contract/consultations.ts'

/** The address of a consult, open or ended. */
export const roomOf = ({ id, type }: { id: number; type: number }) =>
  `/${type === CONSULT_TYPES.video ? 'video' : 'text'}-chat/${id}`
