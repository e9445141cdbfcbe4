import * as calls from '#contract/memberships.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'

export const membershipRoutes = serve(calls, reads)
