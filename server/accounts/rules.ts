import { randomBytes } from 'node:crypto'

export const newPublicId = () => `cus_${randomBytes(12).toString('hex')}`
