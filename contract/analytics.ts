import * as z from 'zod'
import { call } from './call.ts'
import { nothing, optionalText } from './fields.ts'

/** What is counted, once a visitor has agreed. No person, no code and no query is part of it. */
export const tellAnalytics = call({
  method: 'POST',
  path: '/analytics',
  summary: 'Hands a count on to the configured place; without one it goes nowhere',
  access: 'anyone',
  input: z.object({
    event: z.enum(['page', 'purchase', 'consult']),
    path: z.string().regex(/^\/[a-z0-9/:*?_-]{0,99}$/i),
    item: optionalText(40).optional(),
    item_name: optionalText(40).optional(),
    value: z.int().min(0).optional(),
    currency: z.enum(['zar', 'aud']).optional(),
  }),
  output: nothing,
  limit: 'analyticsAddress',
})
