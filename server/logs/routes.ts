import * as calls from '#contract/logs.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const logRoutes = serve(calls, {
  listAudit: reads.listAudit,
  auditFilters: reads.auditFilters,
  listMails: reads.listMails,
  resendMail: writes.resendMail,
  listMessages: reads.listMessages,
  listFeedRuns: reads.listFeedRuns,
  decideFeed: writes.decideFeed,
  listJobs: reads.listJobs,
})
