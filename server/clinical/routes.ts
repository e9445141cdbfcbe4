import * as calls from '#contract/clinical.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const clinicalRoutes = serve(calls, { ...reads, ...writes })
