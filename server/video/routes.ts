import * as calls from '#contract/video.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'

export const videoRoutes = serve(calls, reads)
