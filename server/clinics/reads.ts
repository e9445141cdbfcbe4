import { and, asc, count, eq, exists, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type * as calls from '#contract/clinics.ts'
import { DAY_IDS, type ClinicContact, type ClinicDay } from '#contract/clinics.ts'
import { fail } from '#contract/errors.ts'
import { CONTACT_LINK_HOURS, OPEN_STATES } from '#contract/escalation.ts'
import { addHours } from '#contract/time.ts'
import { REGION_IDS, REGIONS, type Region } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { adminName, doctorName } from '../db/names.ts'
import {
  clinicPeople,
  clinics,
  consultations,
  escalations,
  escalationSteps,
  pets,
  users,
} from '../db/schema.ts'
import { idsOf } from '../db/ids-of.ts'
import { csvRow } from '#contract/csv.ts'
import { isPhone } from '../db/kinds.ts'
import { contactToday, type Invoice, invoiceUrl, monthsUntil } from './rules.ts'

type Place = Pick<World, 'db' | 'now'>
export type ClinicRow = typeof clinics.$inferSelect

const listed = {
  ...columnsOf(clinics, 'id', 'clinic', 'address', 'state', 'telephone', 'email', 'comments', 'username'),
  ...columnsOf(clinics, 'contacts', 'holidays', 'dayBegins', 'notify', 'region', 'version'),
  meta: columnsOf(clinics, 'customerInvoice'),
  escalation_minutes: clinics.escalationMinutes,
  has_password: sql<boolean>`${clinics.passwordHash} is not null`,
  saved_at: clinics.savedAt,
  saved_by: adminName<string | null>(users),
}

async function clinicsWhere({ db, now }: Place, only?: number) {
  const rows = await db
    .select(listed)
    .from(clinics)
    .leftJoin(users, eq(users.id, clinics.savedBy))
    .where(and(isNull(clinics.deletedAt), only === undefined ? undefined : eq(clinics.id, only)))
    .orderBy(asc(sql`lower(${clinics.clinic})`), asc(clinics.id))
  const people = await db
    .select({
      ...columnsOf(clinicPeople, 'id', 'clinicId', 'name', 'email'),
      has_password: sql<boolean>`${clinicPeople.passwordHash} is not null`,
    })
    .from(clinicPeople)
    .where(and(isNull(clinicPeople.deletedAt), inArray(clinicPeople.clinicId, idsOf(rows))))
    .orderBy(asc(sql`lower(${clinicPeople.name})`), asc(clinicPeople.id))
  const byClinic = Map.groupBy(people, ({ clinicId }) => clinicId)
  return rows.map(({ contacts, ...row }) => ({
    ...row,
    ...weekOf(contacts),
    day_begins: row.dayBegins,
    today: contactToday({ ...row, contacts }, now()),
    people: byClinic.get(row.id) ?? [],
  }))
}

const weekOf = (contacts: ClinicRow['contacts']) =>
  Object.fromEntries(DAY_IDS.map((day) => [`contact_${day}`, contacts[day]])) as {
    [name in `contact_${ClinicDay}`]: ClinicContact
  }

export const listClinics = (ctx: Place) => clinicsWhere(ctx)

export async function clinicOf(ctx: Place, id: number) {
  const [clinic] = await clinicsWhere(ctx, id)
  return clinic ?? fail('CLINIC_REMOVED')
}

/** A clinic's case that isn't settled: it has to be taken or decided, or the contact who took it can still give it back. */
export async function unsettledCase({ db, now }: Place, clinicId: number) {
  const linkWorks = db
    .select({ step: escalationSteps.step })
    .from(escalationSteps)
    .where(
      and(
        eq(escalationSteps.consultationId, escalations.consultationId),
        eq(escalationSteps.kind, 'called'),
        gt(escalationSteps.at, addHours(now(), -CONTACT_LINK_HOURS)),
      ),
    )
  const [row] = await db
    .select({ caller: consultations.caller })
    .from(escalations)
    .innerJoin(consultations, eq(consultations.id, escalations.consultationId))
    .where(
      and(
        eq(consultations.clinicId, clinicId),
        or(inArray(escalations.state, OPEN_STATES), and(eq(escalations.state, 'taken'), exists(linkWorks))),
      ),
    )
    .limit(1)
  return row && { pet: row.caller?.pet ?? '' }
}

/** Who saved a clinic last, for an admin who has an older version. */
export async function lastSaved({ db }: Pick<World, 'db'>, id: number) {
  const [row] = await db
    .select({
      at: clinics.savedAt,
      region: clinics.region,
      by: adminName<string | null>(users),
    })
    .from(clinics)
    .leftJoin(users, eq(users.id, clinics.savedBy))
    .where(eq(clinics.id, id))
  return row!
}

/** Whether somebody can sign in for a clinic: with its own username, or as one of its people. */
export const hasPortal = ({ db }: Pick<World, 'db'>) =>
  sql<boolean>`(${clinics.username} is not null or ${exists(
    db
      .select({ id: clinicPeople.id })
      .from(clinicPeople)
      .where(and(eq(clinicPeople.clinicId, clinics.id), isNull(clinicPeople.deletedAt))),
  )})`

export async function canSignIn({ db }: Pick<World, 'db'>, id: number): Promise<boolean> {
  const [row] = await db
    .select({ hasPortal: hasPortal({ db }) })
    .from(clinics)
    .where(eq(clinics.id, id))
  return row?.hasPortal ?? false
}

/**
 * Everybody that a typed username can mean: a clinic by its username, and a person by their email. Each of these is
 * unique, so there are at most two.
 */
export async function signInsOf({ db, env }: Pick<World, 'db' | 'env'>, typed: string) {
  const username = typed.trim().toLowerCase()
  const common = { clinicId: clinics.id, demo: clinics.demo }
  const [own, people] = await Promise.all([
    db
      .select({ ...common, passwordHash: clinics.passwordHash, personId: sql<null>`null::int` })
      .from(clinics)
      .where(and(eq(clinics.username, username), isNull(clinics.deletedAt))),
    db
      .select({ ...common, passwordHash: clinicPeople.passwordHash, personId: clinicPeople.id })
      .from(clinicPeople)
      .innerJoin(clinics, and(eq(clinics.id, clinicPeople.clinicId), isNull(clinics.deletedAt)))
      .where(and(eq(clinicPeople.email, username), isNull(clinicPeople.deletedAt))),
  ])
  return [...own, ...people].filter(({ demo }) => env.demo || !demo)
}

/** A clinic, or one of its people, whose mailed link with this hash still works. */
export const isInvitedBy = (table: typeof clinics | typeof clinicPeople, hash: string, at: Date) =>
  and(eq(table.invitationHash, hash), gt(table.invitationUntil, at), isNull(table.deletedAt))

export async function isInvited({ db, now }: Place, hash: string): Promise<boolean> {
  const found = await Promise.all(
    [clinics, clinicPeople].map((table) =>
      db
        .select({ id: table.id })
        .from(table)
        .where(isInvitedBy(table, hash, now())),
    ),
  )
  return found.flat().length > 0
}

/* Invoices: a clinic's phone consults by month, in its region's zone. */

const monthIn = (region: Region) =>
  sql<string>`to_char(${consultations.start} at time zone ${REGIONS[region].timeZone}, 'YYYY-MM')`

/** From the first moment of a month in the region to the first of the next. */
const inMonth = (month: string, region: Region) => {
  const from = sql`${`${month}-01`}::timestamp`
  const zone = REGIONS[region].timeZone
  return sql`${consultations.start} >= ${from} at time zone ${zone}
    and ${consultations.start} < (${from} + interval '1 month') at time zone ${zone}`
}

export const listClinicInvoices: Handler<typeof calls.listClinicInvoices> = async (
  { db, now, secrets },
  { id },
) => {
  const [clinic] = await db
    .select({ region: clinics.region })
    .from(clinics)
    .where(and(eq(clinics.id, id), isNull(clinics.deletedAt)))
  const { region } = clinic ?? fail('CLINIC_REMOVED')
  const months = monthsUntil(region, now())
  const oldest = sql`${`${months.at(-1)}-01`}::timestamp at time zone ${REGIONS[region].timeZone}`
  const month = monthIn(region)
  const rows = await db
    .select({ month, consults: sql<number>`count(*)::int` })
    .from(consultations)
    .where(and(eq(consultations.clinicId, id), isPhone, sql`${consultations.start} >= ${oldest}`))
    .groupBy(sql`1`)
  const counts = new Map(rows.map((row) => [row.month, row.consults]))
  return months.map((month) => ({
    month,
    consults: counts.get(month) ?? 0,
    url: invoiceUrl(secrets, now(), id, month),
  }))
}

export const getInvoiceMonth: Handler<typeof calls.getInvoiceMonth> = async ({ db }, { month }) => {
  const rows = await Promise.all(
    REGION_IDS.map((region) =>
      db
        .select({
          ...columnsOf(clinics, 'id', 'clinic', 'email'),
          consults: count(consultations.id),
        })
        .from(clinics)
        .leftJoin(consultations, and(eq(consultations.clinicId, clinics.id), isPhone, inMonth(month, region)))
        .where(and(eq(clinics.region, region), eq(clinics.customerInvoice, true), isNull(clinics.deletedAt)))
        .groupBy(clinics.id)
        .orderBy(asc(sql`lower(${clinics.clinic})`), asc(clinics.id)),
    ),
  )
  const invoiced = rows.flat()
  const lines = invoiced.map(({ id, clinic, email, consults }) =>
    csvRow([month, id, clinic, email, consults]),
  )
  return {
    month,
    clinics: invoiced,
    csv: csvRow(['Month', 'Number', 'Clinic', 'Email', 'Phone consults']) + lines.join(''),
  }
}

/** A clinic's phone consults of a month, even if the clinic has been deleted. */
export async function invoiceOf(
  { db }: Pick<World, 'db'>,
  id: number,
  month: string,
): Promise<Invoice | undefined> {
  const [clinic] = await db
    .select({ clinic: clinics.clinic, address: clinics.address, region: clinics.region })
    .from(clinics)
    .where(eq(clinics.id, id))
  if (!clinic) return undefined
  const consults = await db
    .select({
      ...columnsOf(consultations, 'id', 'start', 'outcome'),
      pet: sql<string>`coalesce(${pets.name}, ${consultations.caller}->>'pet', '')`,
      vet: sql<string>`coalesce(${doctorName(users)}, '')`,
    })
    .from(consultations)
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .leftJoin(users, eq(users.id, consultations.vetId))
    .where(and(eq(consultations.clinicId, id), isPhone, inMonth(month, clinic.region)))
    .orderBy(asc(consultations.start), asc(consultations.id))
  return { ...clinic, month, consults }
}
