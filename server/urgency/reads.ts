import { eq } from 'drizzle-orm'
import { COMPLAINTS_AT_WORK } from '#contract/limits.ts'
import type { Region } from '#contract/regions.ts'
import type * as calls from '#contract/urgency.ts'
import type { Level } from '#contract/urgency.ts'
import type { Handler } from '../http/serve.ts'
import type { World } from '../context.ts'
import { speciesNamed } from '../db/breeds.ts'
import { pets } from '../db/schema.ts'
import { inBetween } from '../concurrency/at-once.ts'
import { countedFor } from '../identity/browser-marks.ts'
import { countingUnderWay, underWay } from '../concurrency/under-way.ts'
import { liveRules, reviewOf } from './live-reads.ts'
import { newestRules, rulesOf } from './version-reads.ts'
import { checkOf, levelOf, type Urgency } from './rules.ts'

/** The signs that an owner is asked about before a consult. */
export const emergencyCheck: Handler<typeof calls.emergencyCheck> = async (ctx, { species_id }) => {
  const { rules } = await liveRules(ctx)
  const { version } = rules
  const signs = checkOf(rules, speciesNamed(species_id), ctx.region)
  return { ...signs, version, reviewed: await reviewOf(ctx, version) }
}

/** A buyer whose own words name an emergency reads where to go before they pay. */
export const readComplaint: Handler<typeof calls.readComplaint> = async (ctx, { species_id, query }) => {
  const isStranger = countedFor(ctx) === ctx.address
  if (isStranger && underWay('complaints') >= COMPLAINTS_AT_WORK) await ctx.human('try_again', 60)
  const { reader } = await liveRules(ctx)
  const asked = { species: speciesNamed(species_id), region: ctx.region, text: query, signs: [] }
  const { level, reasons, version } = await countingUnderWay('complaints', () =>
    inBetween('complaints', 1, () => reader(asked)),
  )
  return { flag: level === 'emergency' ? await flagOf(ctx, level, { version, reasons }) : null }
}

/** Reads how urgent a pet's consult is, in the form in which we store it with the consult. */
export async function urgencyOf(
  { db }: Pick<World, 'db'>,
  { petId, petIssue: text, region }: { petId: number; petIssue: string; region: Region },
  signs: string[] = [],
) {
  const [pet] = await db.select({ speciesId: pets.speciesId }).from(pets).where(eq(pets.id, petId))
  const { level, reasons, version } = (await liveRules({ db })).reader({
    species: speciesNamed(pet?.speciesId),
    region,
    text,
    signs,
  })
  return { urgency: level, urgencyRead: { version, reasons, signs } }
}

type Read = Pick<Urgency, 'version' | 'reasons'> | null

const signOf = (read: NonNullable<Read>, sign: string) =>
  rulesOf(read.version).rules.signs.find(({ id }) => id === sign)

/** The first reason in two or three words. */
export const whyInShort = (read: Read): string => {
  const first = read?.reasons[0]
  return (first && signOf(read, first.sign)?.short) ?? ''
}

/** What an owner reads while they wait; null if the consult can wait. Of a vet's changes, only an emergency shows. */
export async function flagOf(ctx: Pick<World, 'db'>, level: Level, read: Read, first: Level = level) {
  const shown = level === 'emergency' ? level : first
  if (shown !== 'emergency' && shown !== 'urgent') return null
  const reviewed = await reviewOf(ctx, read?.version ?? '')
  const isRaised = shown !== first
  const reason = read?.reasons[0]
  const sign = reason && signOf(read, reason.sign)
  const advice = sign && sign.advice.length > 0 ? sign.advice : newestRules().rules.advice
  if (isRaised)
    return {
      level: shown,
      told: null,
      reason: 'A vet has read what you wrote and says so.',
      advice,
      reviewed,
    }
  return sign
    ? { level: shown, told: reason.words ?? sign.says ?? sign.short, reason: sign.reason, advice, reviewed }
    : null
}

/** Why the rules read this level, for staff. */
export function levelRead(read: Read, species: string) {
  const reasons = (read?.reasons ?? []).flatMap(({ sign: id, words }) => {
    const sign = signOf(read!, id)
    if (!sign) return []
    const says = words === null ? (sign.says ?? sign.short) : words
    return { says, ticked: words === null, level: levelOf(sign, species.toLowerCase()) }
  })
  // Two signs may have been found in the same words.
  const once = reasons.filter(({ says }, at) => at === reasons.findIndex((one) => one.says === says))
  return { version: read?.version ?? '', reasons: once }
}
