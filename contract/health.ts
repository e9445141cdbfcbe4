import * as z from 'zod'
import { call } from './call.ts'
import { nothing } from './fields.ts'

export const health = call({
  method: 'GET',
  path: '/health',
  summary: 'Whether the product is ready to serve',
  access: 'anyone',
  input: nothing,
  output: z.object({ ok: z.literal(true) }),
})
