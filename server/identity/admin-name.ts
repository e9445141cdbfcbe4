/** An admin made by the command has no name until they enter one. */
export const adminName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim() || 'An admin'
