import * as z from 'zod'
import { call } from './call.ts'
import { email, id, isoDate, isoTime, nothing, optionalText } from './fields.ts'
import * as lengths from './lengths.ts'

/* The logs: who did what, which mails were sent, what the insurer's feed changed, how the jobs are doing. */

const AuditEntry = z.object({
  id: z.number(),
  at: isoTime,
  /** Null when VetChat did it. Somebody at a clinic has no id. */
  by: z.object({ id: z.number().nullable(), name: z.string() }).nullable(),
  action: z.string(),
  subject: z.string(),
  subject_id: z.string(),
  /** Whom it is about. */
  person: z.object({ id: z.number(), name: z.string() }).nullable(),
  clinic: z.object({ id: z.number(), name: z.string() }).nullable(),
  reason: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAudit = call('GET', '/logs/audit', {
  summary: 'What staff read and changed, newest first, filtered by person, staff member, action and day',
  access: ['admin'],
  input: z.object({
    person: id.optional(),
    by: id.optional(),
    action: optionalText(60).optional(),
    /** Days in the administrator's region, both included. */
    from: isoDate.optional(),
    to: isoDate.optional(),
    cursor: id.optional(),
  }),
  output: z.object({ entries: z.array(AuditEntry), next: z.number().nullable() }),
})

export const auditFilters = call('GET', '/logs/audit/filters', {
  summary: 'The staff, past and present, and the actions that the audit log can be searched for',
  access: ['admin'],
  input: nothing,
  output: z.object({
    staff: z.array(z.object({ id: z.number(), name: z.string() })),
    actions: z.array(z.string()),
  }),
})

/** A mail's state, and whether it can be sent again. A delivered one can't, because its text is erased. */
export const ResendState = z.object({
  state: z.enum(['waiting', 'sent', 'given_up']),
  /** Why it hasn't arrived yet. */
  error: z.string().nullable(),
  resendable: z.boolean(),
})
export type ResendState = z.infer<typeof ResendState>

const LoggedMail = z.object({
  id: z.number(),
  at: isoTime,
  to: z.string(),
  subject: z.string(),
  template: z.string(),
  attempts: z.number(),
  /** When it was sent, was given up, or will be tried next. */
  done: isoTime,
  ...ResendState.shape,
})
export type LoggedMail = z.infer<typeof LoggedMail>

export const listMails = call('POST', '/logs/mails', {
  summary:
    'Every mail with its state, newest first, without its text. A POST, because the addresses of calls are logged and must not contain an email',
  access: ['admin'],
  input: z.object({
    state: z.enum(['all', 'waiting', 'sent', 'given_up']).optional(),
    to: email.optional(),
    cursor: id.optional(),
  }),
  output: z.object({
    mails: z.array(LoggedMail),
    next: z.number().nullable(),
    /** How many were given up. */
    given_up: z.number(),
  }),
})

export const resendMail = call('POST', '/logs/mails/:id/resend', {
  summary: 'Send a mail that was given up again, at most once a minute',
  access: ['admin'],
  input: z.object({ id }),
  output: nothing,
})

const ContactMessage = z.object({
  id: z.number(),
  at: isoTime,
  /** One of CONTACT_REASONS, in words. */
  about: z.string(),
  name: z.string(),
  email: z.string(),
  mobile: z.string(),
  company: z.string(),
  text: z.string(),
})
export type ContactMessage = z.infer<typeof ContactMessage>

export const listMessages = call('GET', '/logs/messages', {
  summary: 'What people wrote on the contact page, newest first',
  access: ['admin'],
  input: z.object({ cursor: id.optional() }),
  output: z.object({ messages: z.array(ContactMessage), next: z.number().nullable() }),
})

const FeedRun = z.object({
  id: z.number(),
  at: isoTime,
  file: z.string(),
  state: z.enum(['applied', 'waiting', 'refused', 'dropped']),
  added: z.number(),
  changed: z.number(),
  lapsed: z.number(),
  bad: z.array(z.object({ row: z.number(), why: z.string() })),
  bad_count: z.number(),
  /** A later file was applied while this one waited. */
  overtaken: z.boolean(),
})
export type FeedRun = z.infer<typeof FeedRun>

export const listFeedRuns = call('GET', '/logs/feed', {
  summary: 'The partner insurer’s files, newest first, and what each did; q searches their names',
  access: ['admin'],
  input: z.object({ q: optionalText(lengths.search).optional(), cursor: id.optional() }),
  output: z.object({ runs: z.array(FeedRun), next: z.number().nullable(), live: z.number() }),
})

export const decideFeed = call('POST', '/logs/feed/:id', {
  summary: 'Apply a waiting file of the insurer, or drop it',
  access: ['admin'],
  input: z.object({ id, let_through: z.boolean() }),
  output: FeedRun,
})

const JobReport = z.object({
  name: z.string(),
  lane: z.enum(['database', 'mail', 'sms', 'payments', 'files']),
  /** Null for a job that runs at every tick. */
  every_minutes: z.number().nullable(),
  running: z.boolean(),
  last_run: isoTime.nullable(),
  took_ms: z.number().nullable(),
  longest_ms: z.number().nullable(),
  next_run: isoTime.nullable(),
  /** How many runs failed in a row until now, and the last failure. */
  failing: z.number(),
  failed_at: isoTime.nullable(),
  error: z.string().nullable(),
})
export type JobReport = z.infer<typeof JobReport>

export const listJobs = call('GET', '/logs/jobs', {
  summary: 'Each job of the instance that answers: its last run, its next and its last failure',
  access: ['admin'],
  input: nothing,
  output: z.object({ since: isoTime, jobs: z.array(JobReport) }),
})
