import { randomBytes } from 'node:crypto'

/** A person's id in links and answers. It isn't the payment provider's id, and it gives no access on its own. */
export const newPublicId = () => `person_${randomBytes(12).toString('hex')}`
