import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Input, Output } from '#contract/call.ts'
import * as calls from '#contract/logs.ts'
import { openPerson } from '#contract/people.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

type Paged = typeof calls.listAudit | typeof calls.listMails | typeof calls.listFeedRuns

/** A log page by page, newest first. */
const pages = <C extends Paged>(definition: C, input: Input<C>) =>
  infiniteQueryOptions({
    queryKey: [definition.path, input],
    queryFn: ({ pageParam, signal }): Promise<Output<C>> =>
      api(definition, { ...input, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchOnWindowFocus: 'always',
  })

export const audit = (input: Input<typeof calls.listAudit>) => pages(calls.listAudit, input)
export const auditFilters = query(calls.auditFilters, {})
export const mails = (input: Input<typeof calls.listMails>) => pages(calls.listMails, input)
export const feedRuns = pages(calls.listFeedRuns, {})

const JOBS_MS = 5000
export const jobs = { ...query(calls.listJobs, {}), refetchInterval: JOBS_MS }

export const useResendMail = () => useCall(calls.resendMail, { invalidates: [calls.listMails, openPerson] })
export const useDecideFeed = () => useForForm(calls.decideFeed, { invalidates: [calls.listFeedRuns] })
