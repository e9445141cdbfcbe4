// Removes a lost second factor: npm run factor -- EMAIL. For the last admin; others ask an admin. Uses the server's database.
import { email } from '#contract/fields.ts'
import { accountOf } from '#server/accounts/reads.ts'
import { takeAway } from '#server/factor/writes.ts'
import { optionsOf, say } from './own-database.ts'
import { type OwnWorld, withWorld } from './own-world.ts'

const USAGE = 'npm run factor -- EMAIL'
const { options, makesNew } = optionsOf(process.argv.slice(2))
const address = email.safeParse(options[0])

if (options.length !== 1) say(`Usage: ${USAGE}`, 1)
else if (!address.success) say(`${options[0]} is not an email address. Usage: ${USAGE}`, 1)
else await withWorld((world) => remove(world, address.data), makesNew)

async function remove(world: OwnWorld, who: string) {
  const account = await accountOf(world, who)
  if (!account) say(`${who} has no account. Nothing was changed.`, 1)
  else if (!(await takeAway(world, account.id, null))) say(`${who} has no second factor.`, 1)
  else say(`${who} now signs in with just the password, and gets an email that says so.`)
}
