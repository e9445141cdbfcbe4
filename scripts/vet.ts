// Makes a person a vet: npm run vet -- EMAIL --registration NUMBER [--region au] [--new]. Uses the server's database.
import { email, text } from '#contract/fields.ts'
import { REGION_IDS } from '#contract/regions.ts'
import { REGISTRATION_LENGTH } from '#contract/vets.ts'
import { makeVet } from '#server/vets/writes.ts'
import { optionsOf, say, valuesOf } from './own-database.ts'
import { linkSent, withWorld } from './own-world.ts'

const USAGE = `npm run vet -- EMAIL --registration NUMBER [--region ${REGION_IDS.join('|')}] [--new]`
const { options, makesNew } = optionsOf(process.argv.slice(2))
const { values, words } = valuesOf(options, 'registration', 'region')
const address = email.safeParse(words[0])
const registration = text(REGISTRATION_LENGTH).safeParse(values.registration)
const region = REGION_IDS.find((one) => one === values.region)

if (words.length !== 1 || !registration.success) say(`Usage: ${USAGE}`, 1)
else if (!address.success) say(`${words[0]} is not an email address. Usage: ${USAGE}`, 1)
else if (values.region !== undefined && !region)
  say(`There is no region ${values.region}. Usage: ${USAGE}`, 1)
else
  await withWorld(async (world) => {
    const who = address.data
    const { result, mailed } = await makeVet(world, { email: who, registration: registration.data, region })
    if (result === 'is an admin') return say(`${who} is an admin. Nothing was changed.`, 1)
    const what = result === 'made' ? 'is a vet now' : 'was a vet already; the registration number is saved'
    say(`${who} ${what}.${mailed ? ` ${linkSent('the')}` : ''}`)
  }, makesNew)
