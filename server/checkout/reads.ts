import { and, desc, eq, gt, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm'
import type { World } from '../context.ts'
import { consultations, pets, purchases } from '../db/schema.ts'

type Db = Pick<World, 'db'>

/** Who wants a consult about what. */
export interface Wish {
  email: string
  pet: string
  query: string
}

/**
 * The open consult that an email bought since a time for the same pet, with the same words. Until the buyer's browser
 * begins the consult, the words are only in the purchase's order.
 */
export async function sameConsult(
  { db }: Db,
  { email, pet, query, since, id = 0 }: Wish & { since: Date; id?: number },
) {
  const given = (field: SQL) => sql<string>`${purchases.order} #>> ${field}`
  const [same] = await db
    .select({
      id: purchases.id,
      userId: sql<number | null>`coalesce(${consultations.userId}, ${purchases.userId})`,
      consultationId: purchases.consultationId,
      type: consultations.type,
    })
    .from(purchases)
    .leftJoin(consultations, eq(consultations.id, purchases.consultationId))
    .leftJoin(pets, eq(pets.id, consultations.petId))
    .where(
      and(
        eq(purchases.email, email),
        ne(purchases.id, id),
        eq(purchases.kind, 'consult'),
        inArray(purchases.state, ['paid', 'delivered']),
        gt(purchases.createdAt, since),
        isNull(consultations.end),
        sql`lower(coalesce(${pets.name}, ${given(sql`'{given,pet,name}'`)})) = lower(${pet})`,
        sql`coalesce(${consultations.petIssue}, ${given(sql`'{given,query}'`)}) = ${query}`,
      ),
    )
    .orderBy(desc(purchases.id))
    .limit(1)
  if (!same) return undefined
  const { consultationId, type, ...purchase } = same
  return { ...purchase, open: consultationId !== null && type !== null && { id: consultationId, type } }
}
