// Makes a person an admin, or removes that right: npm run admin -- EMAIL [--remove] [--new]. Uses the server's database.
import { email } from '#contract/fields.ts'
import { makeAdmin, unmakeAdmin } from '#server/accounts/writes.ts'
import { optionsOf, say } from './own-database.ts'
import { linkSent, type OwnWorld, withWorld } from './own-world.ts'

const USAGE = 'npm run admin -- EMAIL [--remove] [--new]'
const { options, makesNew } = optionsOf(process.argv.slice(2))
const remove = options.includes('--remove')
const addresses = options.filter((option) => option !== '--remove')
const address = email.safeParse(addresses[0])

if (addresses.length !== 1) say(`Usage: ${USAGE}`, 1)
else if (!address.success) say(`${addresses[0]} is not an email address. Usage: ${USAGE}`, 1)
else
  await withWorld((world) => (remove ? takeAway(world, address.data) : give(world, address.data)), makesNew)

async function give(world: OwnWorld, who: string) {
  const result = await makeAdmin(world, who)
  say(`${who} ${result === 'made' ? 'is an admin now' : 'was an admin already'}. ${linkSent('the')}`)
}

async function takeAway(world: OwnWorld, who: string) {
  const result = await unmakeAdmin(world, who)
  if (result === 'unmade') say(`${who} is no admin any more and was signed out everywhere.`)
  else if (result === 'is none') say(`${who} is no admin. Nothing was changed.`, 1)
  else say(`${who} is the last admin and stays one. Make another one first.`, 1)
}
