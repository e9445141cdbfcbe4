import type { World } from '../context.ts'
import { ledger } from '../db/schema.ts'

type Row = typeof ledger.$inferInsert
type Place = Pick<World, 'db' | 'now'>

/** Money that came in. Told twice it stands once: the provider's own name of the payment says which it is. */
export async function recordCharge({ db, now }: Place, charge: Omit<Row, 'kind' | 'chargeId' | 'at'>) {
  await db
    .insert(ledger)
    .values({ ...charge, kind: 'charge', at: now() })
    .onConflictDoNothing({ target: ledger.stripeId })
}
