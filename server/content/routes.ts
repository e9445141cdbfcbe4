import * as calls from '#contract/content.ts'
import { serve } from '../http/serve.ts'
import * as clinics from './clinic-reads.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const contentRoutes = serve(calls, { ...clinics, ...reads, ...writes })
