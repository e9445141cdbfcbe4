export const VIDEO = 2

/** The address of a consult, open or ended. */
export const roomOf = ({ id, type }: { id: number; type: number }) =>
  `/${type === VIDEO ? 'video' : 'text'}-chat/${id}`
