import * as calls from '#contract/logs.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const logRoutes = serve(calls, { ...reads, ...writes })
