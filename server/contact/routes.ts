import * as calls from '#contract/contact.ts'
import { serve } from '../serve.ts'
import * as writes from './writes.ts'

export const contactRoutes = serve(calls, {
  contactUs: writes.contactUs,
})
