import * as calls from '#contract/accounts.ts'
import { serve } from '../http/serve.ts'
import * as claimWrites from './claim-writes.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const accountRoutes = serve(calls, { ...claimWrites, ...reads, ...writes })
