import * as calls from '#contract/escalation.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const escalationRoutes = serve(calls, { ...reads, ...writes })
