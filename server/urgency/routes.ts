import * as calls from '#contract/urgency.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'

export const urgencyRoutes = serve(calls, {
  emergencyCheck: reads.emergencyCheck,
})
