import * as calls from '#contract/vets.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const vetRoutes = serve(calls, { ...reads, ...writes })
