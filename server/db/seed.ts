import { eq, sql } from 'drizzle-orm'
import type { Env } from '../env.ts'
import { hashPassword } from '../identity/session.ts'
import { CAT_BREEDS, DOG_BREEDS, SPECIES } from './breeds.ts'
import type { Db } from './client.ts'
import { fillDemo } from './demo/fill.ts'
import { DEMO_PASSWORD } from './demo/people.ts'
import { fillProvider } from './demo/provider.ts'
import { breeds, sandboxObjects, settings, species } from './schema.ts'

const BREEDS = [
  ...DOG_BREEDS.map((name) => ({ speciesId: 1, name })),
  ...CAT_BREEDS.map((name) => ({ speciesId: 2, name })),
]

/** The row that shows that this database has the demo. */
const DEMO = 'demo'
/** The row that shows that the provider's sandbox has the demo. */
const PROVIDER = 'cus_demo_owner'

/** Whether the demo was ever filled in. Its people stay, but can't sign in while the demo is off. */
export async function holdsDemo(db: Db): Promise<boolean> {
  const found = await db.select({ key: settings.key }).from(settings).where(eq(settings.key, DEMO))
  return found.length > 0
}

/** Fills in what every database needs, and the demo if it is on. Instances that start together fill it once. */
export async function seed(
  db: Db,
  { demo, stripe }: Pick<Env, 'demo' | 'sites'> & Partial<Pick<Env, 'stripe'>>,
): Promise<void> {
  const [found] = await db
    .select({
      lookups: sql<boolean>`(select count(*) from ${species}) >= ${SPECIES.length}
        and (select count(*) from ${breeds}) >= ${BREEDS.length}`,
      demo: sql<boolean>`exists (select from ${settings} where ${settings.key} = ${DEMO})`,
      provider: sql<boolean>`exists (select from ${sandboxObjects} where ${sandboxObjects.id} = ${PROVIDER})`,
    })
    .from(sql`(values (1)) as once`)
  if (!found!.lookups) {
    await db.insert(species).values(SPECIES).onConflictDoNothing()
    await db.insert(breeds).values(BREEDS).onConflictDoNothing()
  }
  if (demo && !found!.demo) await seedDemo(db)
  if (demo && !stripe && !found!.provider) await fillProvider(db)
}

async function seedDemo(db: Db) {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  await db.transaction(async (tx) => {
    // The instance that fills the demo locks this row. The others wait for it and skip the rest.
    const [claimed] = await tx
      .insert(settings)
      .values({ key: DEMO, value: true })
      .onConflictDoNothing()
      .returning({ now: settings.changedAt })
    if (claimed) await fillDemo(tx, passwordHash, claimed.now)
  })
}
