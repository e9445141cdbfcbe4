import * as calls from '#contract/library.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const libraryRoutes = serve(calls, { ...reads, ...writes })
