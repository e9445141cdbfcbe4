import { setImmediate as others } from 'node:timers/promises'
import { and, desc, eq, gte, isNotNull, not, or, sql } from 'drizzle-orm'
import { fail } from '#contract/errors.ts'
import { addDays } from '#contract/time.ts'
import { type Level, MOST_REPLAYED, type Replay, REPLAY_DAYS } from '#contract/urgency.ts'
import type * as calls from '#contract/urgency.ts'
import type { Handler } from '../http/serve.ts'
import { isPhone } from '../db/kinds.ts'
import type { World } from '../context.ts'
import { clinicalNotes, consultations, levelChanges, pets, species } from '../db/schema.ts'
import { type Loaded, rulesNamed } from './version-reads.ts'

/* What a version of the rules would have read in past consults, beside what vets decided. */

/** How many consults are read before other requests get a turn. */
const AT_ONCE = 25
const MOST_CASES = 50

type Outcome = 'home' | 'own_vet' | 'sent_in' | 'no_answer' | null

const isPressing = (level: Level) => level === 'emergency' || level === 'urgent'

/** Whether a vet found that a consult couldn't wait; undefined if no vet said. A level that a vet set counts like an outcome. */
export function vetSaid(outcome: Outcome, set: Level | null): boolean | undefined {
  if (outcome === 'sent_in' || (set && isPressing(set))) return true
  return set || outcome === 'home' || outcome === 'own_vet' ? false : undefined
}

const lastSet = sql<Level | null>`(select ${levelChanges.to} from ${levelChanges}
  where ${levelChanges.consultationId} = ${consultations.id} order by ${levelChanges.id} desc limit 1)`

const decided = ({ db }: Pick<World, 'db'>, from: Date, most: number) =>
  db
    .select({
      id: consultations.id,
      text: consultations.petIssue,
      read: consultations.urgencyRead,
      region: consultations.region,
      kind: species.name,
      outcome: clinicalNotes.outcome,
      set: lastSet,
    })
    .from(consultations)
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .leftJoin(species, eq(species.id, pets.speciesId))
    .leftJoin(
      clinicalNotes,
      and(eq(clinicalNotes.consultationId, consultations.id), isNotNull(clinicalNotes.signedAt)),
    )
    .where(
      and(
        gte(consultations.start, from),
        not(isPhone),
        or(isNotNull(clinicalNotes.outcome), sql`${lastSet} is not null`),
      ),
    )
    .orderBy(desc(consultations.id))
    .limit(most)

const named = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** Reads the consults again, a few at a time, so that nobody else waits for it. */
export async function replay(
  ctx: Pick<World, 'db' | 'now'>,
  { rules, reader }: Loaded,
  { days, most }: { days: number; most: number },
) {
  const to = ctx.now()
  const from = addDays(to, -days)
  const rows = await decided(ctx, from, most + 1)
  const bySign = new Map<string, Replay['signs'][number]>()
  const total = { consults: 0, caught: 0, missed: 0, false_alarms: 0, changed: 0 }
  for (const [at, row] of rows.slice(0, most).entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await others()
    const pressed = vetSaid(row.outcome, row.set)
    if (pressed === undefined) continue
    const { level, reasons } = reader({
      species: row.kind ?? 'other',
      region: row.region,
      text: row.text,
      signs: row.read?.signs ?? [],
    })
    total.consults++
    if (row.set) total.changed++
    const flagged = isPressing(level)
    if (!flagged && !pressed) continue
    const kind = flagged ? (pressed ? 'caught' : 'false_alarms') : 'missed'
    total[kind]++
    const id = reasons[0]?.sign ?? ''
    const sign = rules.signs.find((one) => one.id === id)
    const tally = bySign.get(id) ?? {
      sign: id,
      says: sign ? named(sign.says ?? sign.short) : 'No sign fitted',
      caught: 0,
      missed: 0,
      false_alarms: 0,
      cases: [],
    }
    bySign.set(id, tally)
    tally[kind]++
    if (kind !== 'caught' && tally.cases.length < MOST_CASES) tally.cases.push(row.id)
  }
  const signs = [...bySign.values()].toSorted(
    (a, b) => b.missed - a.missed || b.false_alarms - a.false_alarms || b.caught - a.caught,
  )
  return { version: rules.version, from, to, ...total, cut: rows.length > most, signs }
}

export const replayVersion: Handler<typeof calls.replayVersion> = async (ctx, { version }) =>
  replay(ctx, rulesNamed(version) ?? fail('NOT_FOUND'), { days: REPLAY_DAYS, most: MOST_REPLAYED })
