import * as calls from '#contract/aftercare.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const aftercareRoutes = serve(calls, { ...reads, ...writes })
