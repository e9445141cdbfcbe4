import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { World } from '../context.ts'
import { columnsOf } from '../db/columns-of.ts'
import { feedRuns, policies, species } from '../db/schema.ts'
import { asStored } from './rules.ts'

/** A live policy that isn't bound yet; every other is simply not found. */
export async function openPolicy({ db }: Pick<World, 'db'>, typed: string) {
  const [row] = await db
    .select(columnsOf(policies, 'id', 'policy', 'petName', 'speciesId', 'holderEmail'))
    .from(policies)
    .where(and(eq(policies.policy, asStored(typed)), isNull(policies.lapsedAt), isNull(policies.userId)))
  return row
}
export type OpenPolicy = NonNullable<Awaited<ReturnType<typeof openPolicy>>>

/* The partner insurer's feed. */

export async function feedRunOf({ db }: Pick<World, 'db'>, contentHash: string) {
  const [run] = await db.select().from(feedRuns).where(eq(feedRuns.contentHash, contentHash))
  return run
}

export const countLivePolicies = ({ db }: Pick<World, 'db'>) => db.$count(policies, isNull(policies.lapsedAt))

export async function policiesNamed({ db }: Pick<World, 'db'>, numbers: string[]) {
  const rows = await db.select().from(policies).where(inArray(policies.policy, numbers))
  return new Map(rows.map(({ lapsedAt, ...row }) => [row.policy, { ...row, isLive: lapsedAt === null }]))
}

export async function speciesByName({ db }: Pick<World, 'db'>): Promise<Map<string, number>> {
  const rows = await db.select().from(species)
  return new Map(
    rows.flatMap(({ id, name }) => [[name.toLowerCase(), id] as const, [String(id), id] as const]),
  )
}
