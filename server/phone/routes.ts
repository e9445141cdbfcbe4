import * as calls from '#contract/phone.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const phoneRoutes = serve(calls, { ...reads, ...writes })
