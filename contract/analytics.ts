import * as z from 'zod/mini'
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
    path: z.string().check(z.regex(/^\/[a-z0-9/:*?_-]{0,99}$/i)),
    item: z.optional(optionalText(40)),
    item_name: z.optional(optionalText(40)),
    value: z.optional(z.int().check(z.minimum(0))),
    currency: z.optional(z.enum(['zar', 'aud'])),
  }),
  output: nothing,
  limit: 'analyticsAddress',
})
