import * as calls from '#contract/urgency.ts'
import { serve } from '../http/serve.ts'
import * as lives from './live-reads.ts'
import * as reads from './reads.ts'
import * as replays from './replay-reads.ts'
import * as writes from './writes.ts'

export const urgencyRoutes = serve(calls, { ...lives, ...reads, ...replays, ...writes })
