import * as calls from '#contract/contact.ts'
import { serve } from '../http/serve.ts'
import * as writes from './writes.ts'

export const contactRoutes = serve(calls, writes)
