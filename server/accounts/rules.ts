import { randomBytes } from 'node:crypto'

/** A person's id in links and answers. It is never the payment provider's, and it opens nothing alone. */
export const newPublicId = () => `person_${randomBytes(12).toString('hex')}`
