import * as calls from '#contract/sandbox.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const sandboxRoutes = serve(calls, { ...reads, ...writes })
