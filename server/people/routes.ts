import * as calls from '#contract/people.ts'
import { serve } from '../http/serve.ts'
import * as searchReads from './search-reads.ts'
import * as writes from './writes.ts'

export const peopleRoutes = serve(calls, { ...searchReads, ...writes })
