import * as calls from '#contract/records.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const recordRoutes = serve(calls, { ...reads, ...writes })
