import * as z from 'zod'
import { call } from './call.ts'
import { nothing } from './fields.ts'

/* Whether the product runs and is ready to serve. */

export const health = call('GET', '/health', {
  summary: 'Whether the product is ready to serve: the database answers and can store',
  access: 'anyone',
  input: nothing,
  output: z.object({
    ok: z.literal(true),
    /** Redis can't be reached, so PostgreSQL delivers live messages: slower, but none is lost. */
    redis: z.literal('away').optional(),
    /** The file store can't be reached, so uploads get 503. Everything else works. */
    files: z.literal('away').optional(),
  }),
})

export const alive = call('GET', '/health/live', {
  summary: 'Whether the process is running, even without its database',
  access: 'anyone',
  input: nothing,
  output: z.object({ ok: z.literal(true) }),
})
