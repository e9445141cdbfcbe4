import * as calls from '#contract/pets.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as careWrites from './care-writes.ts'
import * as writes from './writes.ts'

export const petRoutes = serve(calls, { ...reads, ...careWrites, ...writes })
