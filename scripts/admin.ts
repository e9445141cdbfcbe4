// Makes somebody an admin or removes the right: npm run admin -- EMAIL [--remove] [--new]. Uses the server's database.
import { email } from '#contract/fields.ts'
import { makeAdmin, unmakeAdmin } from '#server/accounts/writes.ts'
import type { Database } from '#server/db/client.ts'
import { seed } from '#server/db/seed.ts'
import type { Env } from '#server/env.ts'
import { openCarrier } from '#server/providers/carrier.ts'
import { onDatabase, optionsOf, say } from './own-database.ts'

const USAGE = 'npm run admin -- EMAIL [--remove] [--new]'
const { options, makesNew } = optionsOf(process.argv.slice(2))
const remove = options.includes('--remove')
const addresses = options.filter((option) => option !== '--remove')
const address = email.safeParse(addresses[0])

if (addresses.length !== 1) say(`Usage: ${USAGE}`, 1)
else if (!address.success) say(`${addresses[0]} is not an email address. Usage: ${USAGE}`, 1)
else
  await onDatabase((env, database) => change(address.data, env, database), {
    makesNew,
    inUse: 'Nothing was changed: stop it, run this again, then start it.',
  })

async function change(who: string, env: Env, database: Database) {
  // Tells the running servers, which hold the sockets of the sessions that end here.
  const carrier = await openCarrier(env, database)
  try {
    // Fill in the demo now: its accounts must exist before we can change one.
    await seed(database.db, env)
    const world = {
      env,
      db: database.db,
      now: () => new Date(),
      tell: () => {},
      wake: () => {},
      hangUp: (room: string) => carrier.carry({ room, hangUp: true }),
    }
    await (remove ? takeAway(world, who) : give(world, who))
  } finally {
    await carrier.close()
  }
}

async function give(world: Parameters<typeof makeAdmin>[0], who: string) {
  const result = await makeAdmin(world, who)
  const sent = 'A link to set the password goes out by mail once the server runs; it lives 48 hours.'
  say(`${who} ${result === 'made' ? 'is an admin now' : 'was an admin already'}. ${sent}`)
}

async function takeAway(world: Parameters<typeof unmakeAdmin>[0], who: string) {
  const result = await unmakeAdmin(world, who)
  if (result === 'unmade') say(`${who} is no admin any more and was signed out everywhere.`)
  else if (result === 'is none') say(`${who} is no admin. Nothing was changed.`, 1)
  else say(`${who} is the last admin and stays one. Make another one first.`, 1)
}
