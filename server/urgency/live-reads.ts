import { and, asc, desc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { fail } from '#contract/errors.ts'
import type * as calls from '#contract/urgency.ts'
import { USER_TYPES } from '#contract/accounts.ts'
import type { Handler } from '../http/serve.ts'
import { isVet } from '../db/kinds.ts'
import type { Ctx, World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { adminName, doctorName } from '../db/names.ts'
import { users, versionSteps } from '../db/schema.ts'
import type { RuleSet } from './rules.ts'
import { allRules, firstLive, type Loaded, rulesNamed } from './version-reads.ts'

/* Which version of the rules reads consults, and what was done with each. */

type Admin = Ctx<readonly ['admin']>

/** The version that reads what owners write now. */
export async function liveRules({ db }: Pick<World, 'db'>): Promise<Loaded> {
  const [last] = await db
    .select({ version: versionSteps.version })
    .from(versionSteps)
    .where(eq(versionSteps.step, 'live'))
    .orderBy(desc(versionSteps.id))
    .limit(1)
  return (last && rulesNamed(last.version)) ?? firstLive()
}

const byWhom = alias(users, 'by_whom')
const reviewer = alias(users, 'reviewer')
/** A vet's number at the regulator. */
const registration = (vet: typeof users | typeof reviewer) => sql<string>`coalesce(${vet.registration}, '')`

export const stepsOf = ({ db }: Pick<World, 'db'>) =>
  db
    .select({
      ...columnsOf(versionSteps, 'id', 'version', 'step', 'userId', 'reason', 'at'),
      name: adminName(byWhom),
      vet: { name: doctorName(reviewer), registration: registration(reviewer) },
    })
    .from(versionSteps)
    .innerJoin(byWhom, eq(byWhom.id, versionSteps.userId))
    .leftJoin(reviewer, eq(reviewer.id, versionSteps.vetId))
    .orderBy(asc(versionSteps.id))

type Steps = Awaited<ReturnType<typeof stepsOf>>

/** The state of a version after these steps. */
export function standingOf(steps: Steps, version: string) {
  const own = steps.filter((one) => one.version === version)
  const live = steps.findLast(({ step }) => step === 'live')
  const isLive = (live?.version ?? firstLive().rules.version) === version
  const last = own.findLast(({ step }) => step !== 'reviewed')
  // Making any version live settles earlier requests.
  const asked = last?.step === 'asked' && !(live && live.id > last.id) ? last : null
  return {
    live: isLive,
    wasLive: own.some(({ step }) => step === 'live'),
    since: isLive && live ? live : null,
    reviewed: own.findLast(({ step }) => step === 'reviewed') ?? null,
    asked,
  }
}

/** Who reviewed a version, for owners; null while no vet has. */
export async function reviewOf(ctx: Pick<World, 'db'>, version: string) {
  const [last] = await ctx.db
    .select({
      by: doctorName(users),
      registration: registration(users),
      on: versionSteps.at,
    })
    .from(versionSteps)
    .innerJoin(users, eq(users.id, versionSteps.vetId))
    .where(and(eq(versionSteps.version, version), eq(versionSteps.step, 'reviewed')))
    .orderBy(desc(versionSteps.id))
    .limit(1)
  return last ?? null
}

/** Whether another admin could confirm. */
export async function hasSecondAdmin({ db, actor }: Pick<Admin, 'db' | 'actor'>) {
  const isAnother = and(eq(users.type, USER_TYPES.admin), isNull(users.deletedAt), ne(users.id, actor.userId))
  return (await db.$count(users, isAnother)) > 0
}

const LANGUAGES = ['en', 'af', 'zu'] as const

/** Every phrase that a rule set has for a sign, with the sign. */
const phrasesOf = ({ signs }: RuleSet) =>
  new Set(
    signs.flatMap(({ id, words }) =>
      LANGUAGES.flatMap((language) => (words[language] ?? []).map((phrase) => `${id} ${language} ${phrase}`)),
    ),
  )

export async function listVersions(ctx: Admin) {
  const [steps, takesTwo, vets] = await Promise.all([
    stepsOf(ctx),
    hasSecondAdmin(ctx),
    ctx.db
      .select({ id: users.id, name: doctorName(users), registration: registration(users) })
      .from(users)
      .where(and(isVet, isNotNull(users.registration)))
      .orderBy(asc(users.lastName), asc(users.id)),
  ])
  const versions = allRules().map(({ rules }, at) => {
    const { live, wasLive, since, reviewed, asked } = standingOf(steps, rules.version)
    const phrases = phrasesOf(rules)
    const before = at > 0 ? phrasesOf(allRules()[at - 1]!.rules) : phrases
    return {
      ...rules,
      signs: rules.signs.length,
      phrases: phrases.size,
      added: [...phrases].filter((one) => !before.has(one)).length,
      removed: [...before].filter((one) => !phrases.has(one)).length,
      live,
      was_live: wasLive,
      live_since: since,
      reviewed: reviewed && { ...reviewed.vet, at: reviewed.at, noted_by: reviewed.name },
      asked: asked && { ...asked, mine: asked.userId === ctx.actor.userId },
    }
  })
  return {
    versions: versions.toReversed(),
    takes_two: takesTwo,
    vets,
  }
}

export const readVersion: Handler<typeof calls.readVersion> = (_, { version }) => {
  const { rules } = rulesNamed(version) ?? fail('NOT_FOUND')
  return rules.signs.map(({ says, short, level, only, region, words, ...sign }) => ({
    ...sign,
    says: says ?? short,
    level:
      typeof level === 'string'
        ? level
        : Object.entries(level)
            .map(([kind, one]) => `${kind === 'else' ? 'others' : kind} ${one}`)
            .join(', '),
    only: [...(only ?? ['all']), ...(region ? [region] : [])].join(', '),
    words: { en: words.en ?? [], af: words.af ?? [], zu: words.zu ?? [] },
  }))
}
