import * as z from 'zod'
import { call } from './call.ts'
import { currency, nothing, optionalText } from './fields.ts'

/* Counting visits, once the visitor has agreed. A count never contains a name, a code or a query string. */

export const tellAnalytics = call('POST', '/analytics', {
  summary: 'Forward a count to the configured address, if there is one',
  access: 'anyone',
  input: z.object({
    event: z.enum(['page', 'purchase', 'consult']),
    path: z.string().regex(/^\/[a-z0-9/:*?_-]{0,99}$/i),
    item: optionalText(40).optional(),
    item_name: optionalText(40).optional(),
    value: z.int().min(0).optional(),
    currency: currency.optional(),
  }),
  output: nothing,
  limit: 'analyticsAddress',
})
