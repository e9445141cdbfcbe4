// What a command needs to change a person: the server's database, and a way to end their sessions on running servers.
import { CLAIM_LINK_HOURS } from '#contract/accounts.ts'
import type { World } from '#server/context.ts'
import { seed } from '#server/db/seed.ts'
import { openCarrier } from '#server/providers/carrier.ts'
import { onDatabase } from './own-database.ts'

export const linkSent = (whose: string) =>
  `A link to set ${whose} password goes out by mail once the server runs. It works for ${CLAIM_LINK_HOURS} hours.`

export type PeopleWorld = Pick<World, 'env' | 'db' | 'now' | 'tell' | 'wake' | 'hangUp'>

export const withPeople = (work: (world: PeopleWorld) => Promise<void>, makesNew: boolean) =>
  onDatabase(
    async ({ env, database, now }) => {
      // Tells the running servers, which have the sockets of the sessions that end here.
      const carrier = await openCarrier(env, database)
      try {
        // Fill in the demo now: its accounts must exist before we can change one.
        await seed(database.db, env)
        await work({
          env,
          db: database.db,
          now,
          tell: () => {},
          wake: () => {},
          hangUp: (room) => void carrier.carry({ room, hangUp: true }),
        })
      } finally {
        await carrier.close()
      }
    },
    { makesNew, inUse: 'Nothing was changed: stop it, run this again, then start it.' },
  )
