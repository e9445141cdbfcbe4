import * as calls from '#contract/portal.ts'
import { serve } from '../http/serve.ts'
import * as deferredReads from './deferred-reads.ts'
import * as reads from './reads.ts'
import { versionOfClinicList } from './reads.ts'
import * as writes from './writes.ts'

export const portalRoutes = serve(
  calls,
  { ...deferredReads, ...reads, ...writes },
  { listClinicConsultations: versionOfClinicList },
)
