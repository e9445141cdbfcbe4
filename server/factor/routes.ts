import * as calls from '#contract/factor.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const factorRoutes = serve(calls, { ...reads, ...writes })
