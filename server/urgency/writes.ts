import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { fail, failAt } from '#contract/errors.ts'
import type * as calls from '#contract/urgency.ts'
import type { Handler } from '../http/serve.ts'
import { isVet } from '../db/kinds.ts'
import { type Ctx, transaction } from '../context.ts'
import { users, versionSteps } from '../db/schema.ts'
import { record } from '../identity/audit.ts'
import { hasSecondAdmin, liveRules, standingOf, stepsOf } from './live-reads.ts'
import { rulesNamed } from './version-reads.ts'

type Admin = Ctx<readonly ['admin']>

const SUBJECT = 'urgency rules'

/** Makes steps one after the other, so that two admins can't both act on what they saw before. */
const inOrder = <T>(ctx: Admin, version: string, act: (ctx: Admin) => Promise<T>) =>
  transaction(ctx, async (ctx) => {
    if (!rulesNamed(version)) fail('NOT_FOUND')
    await ctx.db.execute(sql`lock table ${versionSteps} in share row exclusive mode`)
    return act(ctx)
  })

const add = (
  { db, now, actor }: Admin,
  step: Pick<typeof versionSteps.$inferInsert, 'version' | 'step' | 'vetId' | 'reason'>,
) => db.insert(versionSteps).values({ ...step, userId: actor.userId, at: now() })

export const noteReview: Handler<typeof calls.noteReview> = (ctx, { version, vet_id }) =>
  inOrder(ctx, version, async (ctx) => {
    const [vet] = await ctx.db
      .select({ registration: users.registration })
      .from(users)
      .where(and(eq(users.id, vet_id), isVet, isNotNull(users.registration)))
    if (!vet) return failAt('vet_id', 'RULES_REVIEWER')
    await add(ctx, { version, step: 'reviewed', vetId: vet_id })
    await record(ctx, ctx.actor.userId, 'noted a review', [SUBJECT, version], { details: { vet: vet_id } })
    return {}
  })

/** A version that was live before is live again straight away, because a bad one must be replaced without a second admin. */
export const makeVersionLive: Handler<typeof calls.makeVersionLive> = (ctx, { version, reason }) =>
  inOrder(ctx, version, async (ctx) => {
    const { userId } = ctx.actor
    const steps = await stepsOf(ctx)
    const { live, wasLive, reviewed, asked } = standingOf(steps, version)
    if (live) return fail('RULES_LIVE')
    if (!wasLive) {
      if (!reviewed) return fail('RULES_UNREVIEWED')
      if (await hasSecondAdmin(ctx)) {
        if (asked?.userId === userId) return fail('RULES_ASKED')
        if (!asked) {
          await add(ctx, { version, step: 'asked', reason })
          await record(ctx, userId, 'asked for rules', [SUBJECT, version], { reason })
          return { live: false }
        }
      }
    }
    const before = (await liveRules(ctx)).rules.version
    // From now on steps show what was live, so the version that the product came with gets its own step.
    if (!steps.some(({ step }) => step === 'live'))
      await add(ctx, { version: before, step: 'live', reason: 'It came with the product' })
    await add(ctx, { version, step: 'live', reason })
    await record(ctx, userId, 'made rules live', [SUBJECT, version], {
      reason,
      details: { before, ...(asked && { asked_by: asked.userId }) },
    })
    return { live: true }
  })

export const withdrawVersion: Handler<typeof calls.withdrawVersion> = (ctx, { version }) =>
  inOrder(ctx, version, async (ctx) => {
    const { asked } = standingOf(await stepsOf(ctx), version)
    if (!asked) return {}
    await add(ctx, { version, step: 'withdrawn' })
    await record(ctx, ctx.actor.userId, 'withdrew rules', [SUBJECT, version])
    return {}
  })
