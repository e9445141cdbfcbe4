import * as calls from '#contract/health.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'

export const healthRoutes = serve(calls, reads)
