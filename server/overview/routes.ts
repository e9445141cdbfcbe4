import * as calls from '#contract/overview.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'

export const overviewRoutes = serve(calls, reads)
