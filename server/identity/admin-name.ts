import { NAMELESS_ADMIN } from '#contract/accounts.ts'

export const adminName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim() || NAMELESS_ADMIN
