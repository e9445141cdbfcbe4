import type { Input } from '#contract/call.ts'
import * as calls from '#contract/logs.ts'
import { openPerson } from '#contract/people.ts'
import { useForForm } from '../lib/for-form.ts'
import { pages } from '../lib/paged-list.ts'
import { query, useCall } from '../lib/queries.ts'

export const audit = (input: Input<typeof calls.listAudit>) => pages(calls.listAudit, input)
export const auditFilters = query(calls.auditFilters, {})
export const mails = (input: Input<typeof calls.listMails>) => pages(calls.listMails, input)
export const messages = pages(calls.listMessages, {})
export const feedRuns = (input: Input<typeof calls.listFeedRuns>) => pages(calls.listFeedRuns, input)

const JOBS_MS = 5000
export const jobs = { ...query(calls.listJobs, {}), refetchInterval: JOBS_MS }

export const useResendMail = () => useCall(calls.resendMail, { invalidates: [calls.listMails, openPerson] })
export const useDecideFeed = () => useForForm(calls.decideFeed, { invalidates: [calls.listFeedRuns] })
