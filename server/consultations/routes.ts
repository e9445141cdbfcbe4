import * as calls from '#contract/consultations.ts'
import { serve } from '../http/serve.ts'
import * as levels from './level-writes.ts'
import * as lists from './list-reads.ts'
import { versionOfLists } from './list-reads.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const consultationRoutes = serve(
  calls,
  { ...levels, ...lists, ...reads, ...writes },
  { listConsultations: versionOfLists },
)
