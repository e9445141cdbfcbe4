import * as calls from '#contract/contact.ts'
import * as newsletterCalls from '#contract/newsletter.ts'
import { serve } from '../http/serve.ts'
import * as writes from './writes.ts'

export const contactRoutes = serve(calls, {
  contactUs: writes.contactUs,
})

export const newsletterRoutes = serve(newsletterCalls, {
  joinNewsletter: writes.joinNewsletter,
  confirmNewsletter: writes.confirmNewsletter,
  leaveNewsletter: writes.leaveNewsletter,
})
