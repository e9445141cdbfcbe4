import * as calls from '#contract/queue.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const queueRoutes = serve(calls, { ...reads, ...writes })
