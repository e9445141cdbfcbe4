// Makes a clinic: npm run clinic -- NAME --email EMAIL [--region au] [--new]. Uses the server's database.
import { email, text } from '#contract/fields.ts'
import { clinic as longest } from '#contract/lengths.ts'
import { REGION_IDS } from '#contract/regions.ts'
import { makeClinic } from '#server/clinics/writes.ts'
import { optionsOf, say, valuesOf } from './own-database.ts'
import { linkSent, withWorld } from './own-world.ts'

const USAGE = `npm run clinic -- NAME --email EMAIL [--region ${REGION_IDS.join('|')}] [--new]`
const { options, makesNew } = optionsOf(process.argv.slice(2))
const { values, words } = valuesOf(options, 'email', 'region')
const name = text(longest).safeParse(words.join(' '))
const address = email.safeParse(values.email)
const region = REGION_IDS.find((one) => one === values.region)

if (!name.success || values.email === undefined) say(`Usage: ${USAGE}`, 1)
else if (!address.success) say(`${values.email} is not an email address. Usage: ${USAGE}`, 1)
else if (values.region !== undefined && !region)
  say(`There is no region ${values.region}. Usage: ${USAGE}`, 1)
else
  await withWorld(async (world) => {
    const made = { name: name.data, email: address.data, region: region ?? world.env.sites[0]!.region }
    const { username, isNew, mailed } = await makeClinic(world, made)
    const what = isNew ? `is a clinic now, with the username ${username}` : 'was a clinic already'
    say(`${name.data} ${what}.${mailed ? ` ${linkSent('its')}` : ''}`)
  }, makesNew)
