import { CONSULT_TYPES } from '#contract/consultations.ts'

export const roomOf = ({ id, type }: { id: number; type: number }) =>
  `/${type === CONSULT_TYPES.video ? 'video' : 'text'}-chat/${id}`

/** In the console every case has the same kind of address, so that none loads a new document. */
export const caseBeside = (id: number) =>
  `/${location.pathname.startsWith('/video-chat/') ? 'video' : 'text'}-chat/${id}`
