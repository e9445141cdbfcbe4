import { and, eq, sql } from 'drizzle-orm'
import { takesSms } from '#contract/clinics.ts'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/escalation.ts'
import type { Handler } from '../http/serve.ts'
import type { ClinicRow } from '../clinics/reads.ts'
import { noteOutcome, tellChange } from '../consultations/writes.ts'
import { transaction, type Ctx, type World } from '../context.ts'
import { violates } from '../db/errors.ts'
import type { Contact } from '../db/schema/escalation.ts'
import { escalations, escalationSteps } from '../db/schema.ts'
import { siteOfRegion } from '../env.ts'
import { record } from '../identity/audit.ts'
import { refuse, tryTake } from '../identity/limits.ts'
import { mail } from '../mail/outbox.ts'
import { sms } from '../mail/sms-outbox.ts'
import { contactLetter } from './emails.ts'
import {
  calledAgain,
  calledBy,
  caseOf,
  type EscalationRow,
  followed,
  getEscalation,
  isTimeUp,
  keyOfCall,
  readContactCall,
} from './reads.ts'
import {
  answerUntil,
  AUDITED,
  callFrom,
  codeOf,
  contactSms,
  contactsNow,
  fromTheFirst,
  isOpen,
  linkEnds,
  moved,
  nameOf,
  onward,
  outcomeAfter,
  placeNow,
  type Change,
} from './rules.ts'

type Writer = Pick<World, 'db' | 'env' | 'now' | 'secrets' | 'tell' | 'hangUp' | 'wake'>

/** Call it outside the transaction, whose rollback would undo the count. */
export async function limitCalls(ctx: Pick<World, 'db' | 'now'>, userId: number) {
  const wait = await tryTake(ctx, 'contactsCalled', String(userId))
  if (wait > 0) refuse(wait, {}, 'TOO_MANY_CALLED')
}

/** Calls the first contact about a consult that was just recorded, in the transaction that records it. */
export async function startEscalation(ctx: Writer, id: number, clinic: ClinicRow, userId: number) {
  const at = ctx.now()
  const contacts = contactsNow(clinic, at)
  const minutes = clinic.escalationMinutes
  const first = callFrom({ state: 'calling', contacts, place: 0, minutes }, 0, at, userId)
  const [row] = await ctx.db
    .insert(escalations)
    .values({ consultationId: id, ...standing(first), contacts, minutes, step: 0, startedAt: at })
    .returning()
  if (!(await follow(ctx, row!, first, at))) throw new Error(`Escalation ${id} moved while it began`)
}

const standing = ({ state, place, dueAt }: Change) => ({ state, place, dueAt })

/** Makes a change if nothing else happened since `row` was read: stores contacts and steps, sends messages and updates pages. */
async function follow(ctx: Writer, row: EscalationRow, change: Change, at: Date): Promise<boolean> {
  const id = row.consultationId
  const isTaken = change.steps.some(({ kind }) => kind === 'acknowledged')
  const [fresh] = await ctx.db
    .update(escalations)
    .set({
      ...standing(change),
      contacts: row.contacts,
      step: sql`${escalations.step} + ${change.steps.length}::int`,
      ...(isTaken && {
        answeredAt: sql`coalesce(${escalations.answeredAt}, ${at.toISOString()}::timestamptz)`,
      }),
    })
    .where(and(eq(escalations.consultationId, id), eq(escalations.step, row.step)))
    .returning({ step: escalations.step })
  if (!fresh) return false
  for (const [nth, step] of change.steps.entries()) {
    const number = row.step + 1 + nth
    const one = step.place === undefined ? undefined : row.contacts[step.place]
    const [added] = await ctx.db
      .insert(escalationSteps)
      .values({ consultationId: id, step: number, at, ...step })
      .returning({ id: escalationSteps.id })
    await record(ctx, step.userId ?? null, AUDITED[step.kind], ['consultation', id], {
      details: { step: number, ...(one && { contact: nameOf(one) }) },
    })
    const outcome = outcomeAfter(step.kind, one ? nameOf(one) : '')
    if (outcome) await noteOutcome(ctx, id, outcome)
    if (step.kind === 'called' && one && change.dueAt)
      await ask(ctx, one, { id, step: number, callId: added!.id, until: change.dueAt })
  }
  tellChange(ctx, id, null)
  return true
}

/** Sends a contact the case and their link, by SMS and mail, in the transaction of the step. */
async function ask(
  ctx: Writer,
  one: Contact,
  { id, step, callId, until }: { id: number; step: number; callId: number; until: Date },
) {
  const { region, clinic, said } = await caseOf(ctx, id)
  const site = siteOfRegion(ctx, region)
  const asked = {
    ...said,
    clinic: clinic.clinic,
    name: nameOf(one),
    until: answerUntil(region, ctx.now(), until),
    link: `${site.url}/on-call/${codeOf(ctx.secrets, callId)}`,
  }
  const once = { key: keyOfCall(id, step), until: linkEnds(ctx.now()) }
  if (takesSms(one.contact)) await sms(ctx, { to: one.contact, text: contactSms(asked), ...once })
  if (one.email) await mail(ctx, region, one.email, 'contact call', contactLetter(asked), once)
}

/** The step that called the contact who is being asked now, or has the case. */
async function currentCall({ db }: Pick<World, 'db'>, { consultationId, place }: EscalationRow) {
  const [call] = await db
    .select({ step: sql<number | null>`max(${escalationSteps.step})` })
    .from(escalationSteps)
    .where(
      and(
        eq(escalationSteps.consultationId, consultationId),
        eq(escalationSteps.kind, 'called'),
        eq(escalationSteps.place, place),
      ),
    )
  return call!.step!
}

/** The contact didn't answer in time, so the next one is called, or the vet decides. */
export const missCall = (world: World, id: number) =>
  transaction(world, async (ctx) => {
    const [row] = await ctx.db
      .select()
      .from(escalations)
      .where(and(eq(escalations.consultationId, id), isTimeUp(ctx)))
    if (!row) return
    const at = ctx.now()
    const callStep = await currentCall(ctx, row)
    await follow(ctx, row, onward(row, { kind: 'missed', place: row.place, callStep }, at), at)
  })

/** A vet or admin calls the next one, stops or decides. Refused if something happened that they hadn't seen. */
export const moveEscalation: Handler<typeof calls.moveEscalation> = async (ctx, { id, step, to }) => {
  if (to === 'next' || to === 'again') await limitCalls(ctx, ctx.actor.userId)
  await transaction(ctx, async (ctx) => {
    const found = await followed(ctx, id)
    const row = to === 'again' ? fromTheFirst(found, await calledAgain(ctx, id)) : found
    const at = ctx.now()
    const change = row.step === step ? moved(row, to, at, ctx.actor.userId) : undefined
    if (!change || !(await follow(ctx, row, change, at))) fail('ESCALATION_MOVED')
  })
  return getEscalation(ctx, { id })
}

const MOST_TRIES = 10

/** A repeated answer counts once. If two contacts take the case, the first has it. */
export const answerContactCall: Handler<typeof calls.answerContactCall> = async (ctx, { code, answer }) => {
  for (let tries = 0; tries < MOST_TRIES && !(await answered(ctx, code, answer)); tries++);
  return readContactCall(ctx, { code })
}

/** False if something else happened first, so that the caller must try again. */
async function answered(ctx: Ctx<'anyone'>, code: string, answer: 'yes' | 'no'): Promise<boolean> {
  try {
    return await transaction(ctx, async (ctx) => {
      const { call, escalation: row } = await calledBy(ctx, code)
      const at = ctx.now()
      const change = answerTo(row, call, answer, at)
      return change === undefined || (await follow(ctx, row, change, at))
    })
  } catch (error) {
    // This link gave this answer before.
    if (violates(error, 'escalation_steps_answer')) return true
    throw error
  }
}

type Call = Awaited<ReturnType<typeof calledBy>>['call']

function answerTo(row: EscalationRow, call: Call, answer: 'yes' | 'no', at: Date): Change | undefined {
  const { state } = row
  const place = placeNow(row.contacts, call.place!)
  if (at >= linkEnds(call.at)) return undefined
  const theirs = { place, callStep: call.step }
  if (answer === 'yes')
    return isOpen(row)
      ? { state: 'taken', place, dueAt: null, steps: [{ kind: 'acknowledged', ...theirs }] }
      : undefined
  if (state === 'taken' && row.place === place) return onward(row, { kind: 'released', ...theirs }, at)
  if (!isOpen(row)) return undefined
  return state === 'calling' && row.place === place
    ? onward(row, { kind: 'declined', ...theirs }, at)
    : { state, place: row.place, dueAt: row.dueAt, steps: [{ kind: 'declined', ...theirs }] }
}
