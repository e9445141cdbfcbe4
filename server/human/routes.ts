import * as calls from '#contract/human.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'

export const humanRoutes = serve(calls, reads)
