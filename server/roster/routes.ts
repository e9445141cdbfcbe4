import * as calls from '#contract/roster.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const rosterRoutes = serve(calls, { ...reads, ...writes })
