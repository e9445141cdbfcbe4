// What a command needs to change something as the server does: its database, and a way to tell the running servers.
import { pino } from 'pino'
import { CLAIM_LINK_HOURS } from '#contract/accounts.ts'
import type { World } from '#server/context.ts'
import { seed } from '#server/db/seed.ts'
import { openCarrier } from '#server/providers/carrier.ts'
import { onDatabase } from './own-database.ts'

export const linkSent = (whose: string) =>
  `A link to set ${whose} password goes out by mail once the server runs. It works for ${CLAIM_LINK_HOURS} hours.`

export type OwnWorld = Pick<World, 'env' | 'db' | 'now' | 'log' | 'tell' | 'wake' | 'hangUp'>

/** Runs a command with its own world. `inUse` is its advice for when a server has the embedded database open. */
export const withWorld = (
  work: (world: OwnWorld) => Promise<void>,
  makesNew: boolean,
  inUse = 'Nothing was changed: stop it, run this again, then start it.',
) =>
  onDatabase(
    async ({ env, database, now }) => {
      // Tells the running servers, which have the sockets of the pages and sessions that change here.
      const carrier = await openCarrier(env, database)
      try {
        // Fill in the demo now: its accounts must exist before we can change one.
        await seed(database.db, env)
        await work({
          env,
          db: database.db,
          now,
          log: pino({ level: 'silent' }),
          tell: (room, { push }, payload) => carrier.carry({ room, push, payload }),
          wake: () => {},
          hangUp: (room) => carrier.carry({ room, hangUp: true }),
        })
      } finally {
        await carrier.close()
      }
    },
    { makesNew, inUse },
  )
