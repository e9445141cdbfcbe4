import { and, asc, desc, eq, ilike, inArray, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { USER_TYPES } from '#contract/accounts.ts'
import { CONTACT_REASONS } from '#contract/contact.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/logs.ts'
import { idsOf } from '../db/ids-of.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { betweenDays } from '../db/between-days.ts'
import { after, PAGE, paged } from '../db/pagination.ts'
import { columnsOf } from '../db/columns-of.ts'
import { fullName } from '../db/names.ts'
import { literally } from '../db/like.ts'
import {
  auditLog,
  clinics,
  consultations,
  contactMessages,
  feedRuns,
  ledger,
  mails,
  users,
} from '../db/schema.ts'
import { countLivePolicies } from '../policies/reads.ts'
import { resendState } from './rules.ts'

const nameIn = (who: typeof users | typeof staff) =>
  sql<string>`coalesce(nullif(${fullName(who)}, ''), ${who.email})`

/* Audit. */

const staff = alias(users, 'staff')
const MOST_OF_A_PERSON = 5000

/** What the log has about a person: their account, their consults and their charges. */
async function aboutPerson({ db }: Pick<World, 'db'>, person: number) {
  const [consults, charges] = await Promise.all([
    db
      .select({ id: consultations.id })
      .from(consultations)
      .where(eq(consultations.userId, person))
      .limit(MOST_OF_A_PERSON),
    db.select({ id: ledger.id }).from(ledger).where(eq(ledger.userId, person)).limit(MOST_OF_A_PERSON),
  ])
  const of = (subject: string, ids: number[]) =>
    and(eq(auditLog.subject, subject), inArray(auditLog.subjectId, ids.map(String)))
  return or(of('user', [person]), of('consultation', idsOf(consults)), of('charge', idsOf(charges)))
}

/** The person that an entry is about. */
const subjectPerson = sql<number | null>`case ${auditLog.subject}
  when 'user' then ${auditLog.subjectId}::int
  when 'consultation' then (select ${consultations.userId} from ${consultations} where ${consultations.id} = ${auditLog.subjectId}::int)
  when 'charge' then (select ${ledger.userId} from ${ledger} where ${ledger.id} = ${auditLog.subjectId}::int)
  end`

export const listAudit: Handler<typeof calls.listAudit> = async (ctx, asked) => {
  const { db, actor } = ctx
  const at = (id: number) => sql`(select at from ${auditLog} place where place.id = ${id})`
  const rows = await db
    .select({
      ...columnsOf(auditLog, 'id', 'at', 'action', 'subject', 'reason', 'details'),
      subject_id: auditLog.subjectId,
      by: { id: staff.id, name: nameIn(staff) },
      person: subjectPerson,
      clinic: sql<number | null>`case ${auditLog.subject} when 'clinic' then ${auditLog.subjectId}::int end`,
    })
    .from(auditLog)
    .leftJoin(staff, eq(staff.id, auditLog.userId))
    .where(
      and(
        asked.person === undefined ? undefined : await aboutPerson(ctx, asked.person),
        asked.by === undefined ? undefined : eq(auditLog.userId, asked.by),
        asked.action ? eq(auditLog.action, asked.action) : undefined,
        betweenDays(auditLog.at, actor.region, asked.from, asked.to),
        asked.cursor === undefined
          ? undefined
          : sql`(${auditLog.at}, ${auditLog.id}) < (${at(asked.cursor)}, ${asked.cursor}::int)`,
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(PAGE + 1)
  const { page, next } = paged(rows)
  const numbers = (is: (name: string, action: string) => boolean) =>
    page.flatMap(({ action, details }) =>
      Object.entries(details).flatMap(([name, value]) =>
        is(name, action) && typeof value === 'number' ? value : [],
      ),
    )
  const people = [...page.flatMap(({ person }) => person ?? []), ...numbers(isPerson)]
  const places = [...page.flatMap(({ clinic }) => clinic ?? []), ...numbers(isClinic)]
  const [named, clinicNamed] = await Promise.all([
    byId(
      db
        .select({ id: users.id, name: nameIn(users) })
        .from(users)
        .where(inArray(users.id, people)),
    ),
    byId(
      db.select({ id: clinics.id, name: clinics.clinic }).from(clinics).where(inArray(clinics.id, places)),
    ),
  ])
  const said = (action: string, name: string, value: unknown) =>
    (isPerson(name, action) && named.get(value as number)) ||
    (isClinic(name) && clinicNamed.get(value as number)) ||
    value
  return {
    entries: page.map(({ by, person, clinic, details, ...entry }) => ({
      ...entry,
      by: by ?? byClinic(details),
      person: person === null ? null : { id: person, name: named.get(person) ?? '' },
      clinic: clinic === null ? null : { id: clinic, name: clinicNamed.get(clinic) ?? '' },
      details: Object.fromEntries(
        Object.entries(details).map(([name, value]) => [name, said(entry.action, name, value)]),
      ),
    })),
    next,
  }
}

/* Which details of an action are the number of a person or a clinic. */
const isPerson = (name: string, action: string) =>
  name === 'vet' || name === 'asked_by' || (action.startsWith('handed ') && /^(from|to)$/.test(name))
const isClinic = (name: string) => name === 'clinic'

/** A person at a clinic has no account, so the entry itself has their name. */
const byClinic = ({ by }: Record<string, unknown>) => (typeof by === 'string' ? { id: null, name: by } : null)

const byId = async (rows: PromiseLike<{ id: number; name: string }[]>) =>
  new Map((await rows).map(({ id, name }) => [id, name]))

/** Each value of a column with an index, without reading every row of a million. */
const actionsUsed = sql`with recursive used as (
  (select action from ${auditLog} order by action limit 1)
  union all
  select (select ${auditLog.action} from ${auditLog} where ${auditLog.action} > used.action order by action limit 1)
  from used where used.action is not null)
  select action from used where action is not null`

const STAFF = [USER_TYPES.vet, USER_TYPES.admin]

/** The people who were staff before. What they did stays in the log. */
const formerStaff = (db: World['db']) =>
  db
    .select({ id: sql<number>`${auditLog.subjectId}::int` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.action, 'type changed'),
        eq(auditLog.subject, 'user'),
        inArray(sql`(${auditLog.details} ->> 'from')::int`, STAFF),
      ),
    )

export const auditFilters: Handler<typeof calls.auditFilters> = async ({ db }) => {
  const [found, { rows: actions }] = await Promise.all([
    db
      .select({ id: users.id, name: nameIn(users) })
      .from(users)
      .where(or(inArray(users.type, STAFF), inArray(users.id, formerStaff(db))))
      .orderBy(asc(users.firstName), asc(users.lastName)),
    db.execute(actionsUsed) as unknown as Promise<{ rows: { action: string }[] }>,
  ])
  return { staff: found, actions: actions.map(({ action }) => action) }
}

/* Mails. */

const STATES: Record<'waiting' | 'sent' | 'given_up', SQL | undefined> = {
  waiting: and(isNull(mails.sentAt), isNull(mails.failedAt)),
  sent: isNotNull(mails.sentAt),
  given_up: isNotNull(mails.failedAt),
}

/** What admins see of a mail. Its text may have codes and links, so it's never read. */
export const listedMail = {
  ...columnsOf(mails, 'id', 'key', 'to', 'subject', 'template', 'attempts', 'error', 'sentAt', 'failedAt'),
  at: mails.createdAt,
  done: sql<Date>`coalesce(${mails.sentAt}, ${mails.failedAt}, ${mails.dueAt})`.mapWith(mails.dueAt),
  isErased: sql<boolean>`${mails.text} = ''`,
}

export const listMails: Handler<typeof calls.listMails> = async ({ db }, { state = 'all', to, cursor }) => {
  const [rows, given_up] = await Promise.all([
    db
      .select(listedMail)
      .from(mails)
      .where(
        and(
          state === 'all' ? undefined : STATES[state],
          to === undefined ? undefined : eq(mails.to, to),
          after(mails.id, cursor),
        ),
      )
      .orderBy(desc(mails.id))
      .limit(PAGE + 1),
    db.$count(mails, STATES.given_up),
  ])
  const { page, next } = paged(rows)
  return {
    mails: page.map((row) => ({
      ...row,
      ...resendState(row),
      // A delivered mail is sent again from the person's page, which has the current address.
      resendable: row.failedAt !== null && !row.isErased,
    })),
    next,
    given_up,
  }
}

/* Messages. */

export const listMessages: Handler<typeof calls.listMessages> = async ({ db }, { cursor }) => {
  const rows = await db
    .select({
      ...columnsOf(contactMessages, 'id', 'at', 'name', 'email', 'mobile'),
      about: contactMessages.queryAbout,
      company: contactMessages.clinicOrCompany,
      text: contactMessages.body,
    })
    .from(contactMessages)
    .where(after(contactMessages.id, cursor))
    .orderBy(desc(contactMessages.id))
    .limit(PAGE + 1)
  const { page, next } = paged(rows)
  return {
    messages: page.map(({ about, ...message }) => ({
      ...message,
      about: CONTACT_REASONS[about as keyof typeof CONTACT_REASONS],
    })),
    next,
  }
}

/* The insurer's feed. */

const BAD_ROWS_SHOWN = 100

const runs = ({ db }: Pick<World, 'db'>) =>
  db
    .select({
      ...columnsOf(feedRuns, 'id', 'at', 'file', 'state', 'added', 'changed', 'lapsed'),
      bad: feedRuns.badRows,
      overtaken: sql<boolean>`${feedRuns.state} = 'waiting' and exists (
        select from ${feedRuns} later where later.state = 'applied' and later.at > ${feedRuns}.at)`,
    })
    .from(feedRuns)

const asRun = ({ bad, ...run }: Awaited<ReturnType<typeof runs>>[number]) => ({
  ...run,
  bad: bad.slice(0, BAD_ROWS_SHOWN),
  bad_count: bad.length,
})

export const listFeedRuns: Handler<typeof calls.listFeedRuns> = async (ctx, { q, cursor }) => {
  const [rows, live] = await Promise.all([
    runs(ctx)
      .where(and(after(feedRuns.id, cursor), q ? ilike(feedRuns.file, `%${literally(q)}%`) : undefined))
      .orderBy(desc(feedRuns.id))
      .limit(PAGE + 1),
    countLivePolicies(ctx),
  ])
  const { page, next } = paged(rows)
  return { runs: page.map(asRun), next, live }
}

export async function feedRun(ctx: Pick<World, 'db'>, id: number) {
  const [row] = await runs(ctx).where(eq(feedRuns.id, id))
  return row ? asRun(row) : fail('NOT_FOUND')
}

/* Jobs. */

export const listJobs: Handler<typeof calls.listJobs> = ({ jobs }) => jobs()
