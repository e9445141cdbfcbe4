import * as calls from '#contract/claims.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const claimRoutes = serve(calls, { ...reads, ...writes })
