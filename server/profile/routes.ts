import * as calls from '#contract/profile.ts'
import { serve } from '../http/serve.ts'
import * as lookReads from './look-reads.ts'
import * as exportReads from './export-reads.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const profileRoutes = serve(calls, { ...lookReads, ...exportReads, ...reads, ...writes })
