import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Parsed } from '#contract/call.ts'
import type * as calls from '#contract/clinics.ts'
import {
  type ClinicContact,
  type ClinicHoliday,
  DAY_IDS,
  INVITATION_HOURS,
  MOST_PEOPLE,
} from '#contract/clinics.ts'
import { fail, failAt } from '#contract/errors.ts'
import { type Region, localTimeOf } from '#contract/regions.ts'
import { addHours } from '#contract/time.ts'
import type { Handler } from '../http/serve.ts'
import { hashOf } from '../identity/secrets.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { violates } from '../db/errors.ts'
import { columnsOf } from '../db/columns-of.ts'
import { wasThere } from '../db/was-there.ts'
import { clinicPeople, clinics, sessions } from '../db/schema.ts'
import { record } from '../identity/audit.ts'
import { newLinkCode } from '../identity/codes.ts'
import { phoneNumber } from '../identity/phone-number.ts'
import { endSessions } from '../identity/end-sessions.ts'
import { hashPassword } from '../identity/session.ts'
import { mail } from '../mail/outbox.ts'
import { invitationLetter } from './emails.ts'
import { type ClinicRow, clinicOf, isInvited, isInvitedBy, lastSaved, unsettledCase } from './reads.ts'
import { NO_LINK, NOBODY, usernameFor } from './rules.ts'

type AdminCtx = Ctx<readonly ['admin']>
type Sent = Omit<Parsed<typeof calls.saveClinic>, 'id' | 'version'>

const contactFrom = (
  { vetName, contact, email, na, note }: Partial<ClinicContact>,
  before: ClinicContact,
  region: Region,
): ClinicContact => ({
  vetName: vetName ?? before.vetName,
  contact: contact === undefined ? before.contact : phoneNumber(contact, region),
  email: email ?? before.email ?? '',
  na: na ?? before.na,
  note: note ?? before.note,
})

function holidaysFrom(sent: (Partial<ClinicContact> & { date: string })[], region: Region): ClinicHoliday[] {
  if (new Set(sent.map(({ date }) => date)).size < sent.length) failAt('holidays', 'HOLIDAY_TWICE')
  return sent
    .map(({ date, ...one }) => ({ date, ...contactFrom(one, NOBODY, region) }))
    .toSorted((a, b) => a.date.localeCompare(b.date))
}

/** The sent fields as columns. Fields that weren't sent keep their values, if the clinic has any yet. */
function columnsFrom(sent: Sent, before: Pick<ClinicRow, 'contacts' | 'region'>) {
  const { clinic, address, state, telephone, email, comments, username, meta, notify } = sent
  const { region } = before
  const invoice = meta?.customerInvoice
  return {
    ...Object.fromEntries(
      Object.entries({ clinic, address, state, email, comments, notify }).filter(
        ([, one]) => one !== undefined,
      ),
    ),
    ...(telephone !== undefined && { telephone: phoneNumber(telephone, region) }),
    ...(username !== undefined && { username: username || null }),
    ...(invoice !== undefined && { customerInvoice: invoice }),
    ...(sent.holidays && { holidays: holidaysFrom(sent.holidays, region) }),
    ...(sent.day_begins !== undefined && { dayBegins: sent.day_begins }),
    ...(sent.escalation_minutes !== undefined && { escalationMinutes: sent.escalation_minutes }),
    contacts: Object.fromEntries(
      DAY_IDS.map((day) => {
        const known = before.contacts[day] ?? NOBODY
        const contact = sent[`contact_${day}`]
        return [day, contact ? contactFrom(contact, known, region) : known]
      }),
    ) as ClinicRow['contacts'],
  }
}

const NO_WEEK = Object.fromEntries(DAY_IDS.map((day) => [day, NOBODY])) as ClinicRow['contacts']

/** A username belongs to one clinic. */
async function withUsername<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violates(error, 'clinics_username')) failAt('username', 'USERNAME_TAKEN')
    throw error
  }
}

export const addClinic: Handler<typeof calls.addClinic> = (ctx, sent) =>
  withUsername(() =>
    transaction(ctx, async (ctx) => {
      const { actor, region } = ctx
      const saved = { savedAt: ctx.now(), savedBy: actor.userId, createdAt: ctx.now() }
      const [row] = await ctx.db
        .insert(clinics)
        .values({
          ...columnsFrom(sent, { contacts: NO_WEEK, region }),
          ...saved,
          clinic: sent.clinic,
          region,
        })
        .returning({ id: clinics.id })
      await log(ctx, actor.userId, 'clinic added', row!.id, { clinic: sent.clinic })
      return clinicOf(ctx, row!.id)
    }),
  )

/** Locks the clinic unless it was deleted, so that two admins change it one after the other. */
async function lockIfThere({ db }: Pick<World, 'db'>, id: number): Promise<ClinicRow | undefined> {
  const [row] = await db
    .select()
    .from(clinics)
    .where(and(eq(clinics.id, id), isNull(clinics.deletedAt)))
    .for('no key update')
  return row
}

const lockClinic = async (ctx: Pick<World, 'db'>, id: number) =>
  (await lockIfThere(ctx, id)) ?? fail('CLINIC_REMOVED')

export const saveClinic: Handler<typeof calls.saveClinic> = (ctx, { id, version, ...sent }) =>
  withUsername(() =>
    transaction(ctx, async (ctx) => {
      const before = await lockClinic(ctx, id)
      if (version !== undefined && version !== before.version) return refuseOlder(ctx, id)
      const columns = columnsFrom(sent, before)
      const changed = Object.entries(columns).flatMap(([name, now]) => {
        const was = before[name as keyof ClinicRow]
        return isDeepStrictEqual(was, now) ? [] : [[name, { was, now }] as const]
      })
      if (changed.length === 0) return clinicOf(ctx, id)
      await change(ctx, id, {
        ...columns,
        ...('email' in columns && columns.email !== before.email && NO_LINK),
      })
      await log(ctx, ctx.actor.userId, 'clinic saved', id, Object.fromEntries(changed))
      if (columns.username !== undefined && columns.username !== before.username) await signOut(ctx, id, null)
      return clinicOf(ctx, id)
    }),
  )

async function refuseOlder(ctx: Pick<World, 'db'>, id: number) {
  const { at, region, by } = await lastSaved(ctx, id)
  const { time } = localTimeOf(region, at!)
  return fail('CLINIC_CHANGED', { values: { who: by ?? 'Somebody', time } })
}

async function change(
  { db, now, actor }: Pick<AdminCtx, 'db' | 'now' | 'actor'>,
  id: number,
  columns: Partial<ClinicRow>,
) {
  await db
    .update(clinics)
    .set({ ...columns, version: sql`${clinics.version} + 1`, savedAt: now(), savedBy: actor.userId })
    .where(eq(clinics.id, id))
}

const log = (
  ctx: Pick<World, 'db' | 'now'>,
  userId: number | null,
  action: string,
  clinic: number,
  details: Record<string, unknown>,
) => record(ctx, userId, action, ['clinic', clinic], { details })

/** Keeps the clinic's consults, and frees its username. Nobody is called for a clinic that has no portal any more. */
export const deleteClinic: Handler<typeof calls.deleteClinic> = (ctx, { id }) =>
  transaction(ctx, async (ctx) => {
    const clinic = await lockIfThere(ctx, id)
    if (!clinic) return wasThere(ctx, clinics, id)
    const unsettled = await unsettledCase(ctx, id)
    if (unsettled) fail('CLINIC_HAS_CASE', { values: unsettled })
    const deletedAt = ctx.now()
    await change(ctx, id, { deletedAt })
    await ctx.db
      .update(clinicPeople)
      .set({ deletedAt })
      .where(and(eq(clinicPeople.clinicId, id), isNull(clinicPeople.deletedAt)))
    await signOut(ctx, id)
    await log(ctx, ctx.actor.userId, 'clinic deleted', id, { clinic: clinic.clinic })
    return {}
  })

/** Ends the sessions of everybody at the clinic, or only those of one person, or of the clinic's own username. */
const signOut = (
  ctx: Pick<World, 'db' | 'now' | 'tell' | 'hangUp'>,
  clinicId: number,
  person?: number | null,
) =>
  endSessions(
    ctx,
    and(
      eq(sessions.clinicId, clinicId),
      person === null ? isNull(sessions.clinicPersonId) : undefined,
      person ? eq(sessions.clinicPersonId, person) : undefined,
    )!,
  )

export const setClinicCredentials: Handler<typeof calls.setClinicCredentials> = async (
  ctx,
  { id, username, password },
) => {
  const passwordHash = password && (await hashPassword(password))
  return withUsername(() =>
    transaction(ctx, async (ctx) => {
      const before = await lockClinic(ctx, id)
      await change(ctx, id, { username, ...(passwordHash && { passwordHash, ...NO_LINK }) })
      if (passwordHash || username !== before.username) await signOut(ctx, id, null)
      const details = { username, usernameBefore: before.username, passwordSet: Boolean(passwordHash) }
      await log(ctx, ctx.actor.userId, 'clinic credentials set', id, details)
      return {}
    }),
  )
}

export const inviteClinic: Handler<typeof calls.inviteClinic> = (ctx, { id, person }) =>
  transaction(ctx, async (ctx) => {
    await lockClinic(ctx, id)
    const emailed = await sendInvitation(ctx, id, person ?? null)
    await log(ctx, ctx.actor.userId, 'clinic invited', id, { emailed })
    return { emailed }
  })

type LinkWorld = Pick<World, 'db' | 'env' | 'now' | 'wake'>

/** Mails a link that sets a password. It works once, and a newer one replaces it. */
async function sendInvitation(ctx: LinkWorld, clinicId: number, personId: number | null) {
  const [clinic] = await ctx.db.select().from(clinics).where(eq(clinics.id, clinicId))
  const { clinic: name, region } = clinic!
  const code = newLinkCode()
  const link = {
    invitationHash: hashOf(code),
    invitationUntil: addHours(ctx.now(), INVITATION_HOURS),
  }
  const send = (to: string, person: string | null, username: string) => {
    const letter = invitationLetter({ clinic: name, name: person, username, code })
    return mail(ctx, region, to, 'clinic invitation', letter)
  }
  if (personId === null) {
    const { email, username } = clinic!
    if (email === '') return fail('CLINIC_NO_EMAIL')
    if (username === null) return fail('CLINIC_NO_USERNAME')
    await ctx.db.update(clinics).set(link).where(eq(clinics.id, clinicId))
    await send(email, null, username)
    return email
  }
  const [person] = await ctx.db
    .update(clinicPeople)
    .set(link)
    .where(
      and(eq(clinicPeople.id, personId), eq(clinicPeople.clinicId, clinicId), isNull(clinicPeople.deletedAt)),
    )
    .returning({ name: clinicPeople.name, email: clinicPeople.email })
  if (!person) return fail('CLINIC_PERSON_REMOVED')
  await send(person.email, person.name, person.email)
  return person.email
}

/** Used, expired and unknown links get the same answer. Hashing is slow, so we hash only for a link that works. */
export const acceptClinicInvitation: Handler<typeof calls.acceptClinicInvitation> = async (
  ctx,
  { code, password },
) => {
  const hash = hashOf(code)
  if (!(await isInvited(ctx, hash))) fail('CLINIC_LINK_EXPIRED')
  const set = { ...NO_LINK, passwordHash: await hashPassword(password) }
  return transaction(ctx, async (ctx) => {
    const at = ctx.now()
    const [own] = await ctx.db
      .update(clinics)
      .set(set)
      .where(isInvitedBy(clinics, hash, at))
      .returning({ id: clinics.id, username: clinics.username })
    const [person] = own
      ? []
      : await ctx.db
          .update(clinicPeople)
          .set(set)
          .where(isInvitedBy(clinicPeople, hash, at))
          .returning({
            ...columnsOf(clinicPeople, 'id', 'clinicId', 'name'),
            username: clinicPeople.email,
          })
    const clinicId = own?.id ?? person?.clinicId ?? fail('CLINIC_LINK_EXPIRED')
    await signOut(ctx, clinicId, person?.id ?? null)
    const { clinic } = await clinicOf(ctx, clinicId)
    const by = person ? `${person.name}, ${clinic}` : clinic
    await log(ctx, null, 'clinic password set by link', clinicId, { by })
    return { clinic, username: own?.username ?? person?.username ?? '' }
  })
}

export const addClinicPerson: Handler<typeof calls.addClinicPerson> = (ctx, { id, name, email }) =>
  transaction(ctx, async (ctx) => {
    await lockClinic(ctx, id)
    const theirs = and(eq(clinicPeople.clinicId, id), isNull(clinicPeople.deletedAt))
    if ((await ctx.db.$count(clinicPeople, theirs)) >= MOST_PEOPLE) fail('CLINIC_PEOPLE_TOO_MANY')
    const [added] = await ctx.db
      .insert(clinicPeople)
      .values({ clinicId: id, name, email, createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning({ id: clinicPeople.id })
    if (!added) return failAt('email', 'CLINIC_PERSON_TAKEN')
    await sendInvitation(ctx, id, added.id)
    await log(ctx, ctx.actor.userId, 'clinic person added', id, { person: added.id, name, email })
    return clinicOf(ctx, id)
  })

export const removeClinicPerson: Handler<typeof calls.removeClinicPerson> = (ctx, { id, person }) =>
  transaction(ctx, async (ctx) => {
    if (!(await lockIfThere(ctx, id))) return wasThere(ctx, clinics, id).then(() => fail('CLINIC_REMOVED'))
    const [gone] = await ctx.db
      .update(clinicPeople)
      .set({ deletedAt: ctx.now() })
      .where(and(eq(clinicPeople.id, person), eq(clinicPeople.clinicId, id), isNull(clinicPeople.deletedAt)))
      .returning({ name: clinicPeople.name })
    if (gone) {
      await signOut(ctx, id, person)
      await log(ctx, ctx.actor.userId, 'clinic person removed', id, { person, ...gone })
    } else await wasThere(ctx, clinicPeople, person)
    return clinicOf(ctx, id)
  })

/** For the command: adds a clinic, with a username made from its name. If it exists with that email, it gets a new link. */
export const makeClinic = (
  world: LinkWorld & Pick<World, 'tell' | 'hangUp'>,
  { name, email, region }: { name: string; email: string; region: Region },
) =>
  transaction(world, async (ctx) => {
    const [known] = await ctx.db
      .select({ id: clinics.id, username: clinics.username })
      .from(clinics)
      .where(and(eq(clinics.clinic, name), eq(clinics.email, email), isNull(clinics.deletedAt)))
      .limit(1)
    const clinic = known ?? (await addNamed(ctx, name, email, region))
    if (clinic.username === null) return { ...clinic, isNew: !known, mailed: false }
    await sendInvitation(ctx, clinic.id, null)
    return { ...clinic, isNew: !known, mailed: true }
  })

async function addNamed(ctx: Pick<World, 'db' | 'now'>, name: string, email: string, region: Region) {
  const wanted = usernameFor(name)
  for (let number = 1; ; number++) {
    const username = number === 1 ? wanted : `${wanted}${number}`
    const [row] = await ctx.db
      .insert(clinics)
      .values({ clinic: name, email, username, region, contacts: NO_WEEK, savedAt: ctx.now() })
      .onConflictDoNothing()
      .returning({ id: clinics.id, username: clinics.username })
    if (!row) continue
    await log(ctx, null, 'clinic added', row.id, { clinic: name })
    return row
  }
}
