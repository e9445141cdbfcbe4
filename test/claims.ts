import type { Claim } from '#contract/claims.ts'
import { pdf } from './documents.ts'
import { fileOf, sendForm } from './forms.ts'
import type { TestWorld } from './world.ts'

export const sendClaim = (
  world: TestWorld,
  token: string,
  fields: Record<string, string | number>,
  invoice: Buffer | null = pdf(),
) => sendForm<Claim>(world.app, '/claims', token, { ...fields, ...(invoice && { invoice: fileOf(invoice) }) })
