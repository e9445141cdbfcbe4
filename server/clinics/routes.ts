import * as calls from '#contract/clinics.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const clinicRoutes = serve(calls, { ...reads, ...writes })
