import * as calls from '#contract/ledger.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as searchReads from './search-reads.ts'
import * as writes from './writes.ts'

export const ledgerRoutes = serve(calls, { ...reads, ...searchReads, ...writes })
