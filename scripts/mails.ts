// Lists the mails that the server gave up, or sends them again: npm run mails [-- --resend ID …]. Uses the server's database.
import { LARGEST_INTEGER } from '#contract/fields.ts'
import { givenUp, sendAgain } from '#server/mail/outbox.ts'
import { onDatabase, type Place, say } from './own-database.ts'

const USAGE = 'npm run mails [-- --resend ID … | --resend all]'
const [option, ...wanted] = process.argv.slice(2)
const areIds = wanted.every((id) => /^[1-9]\d*$/.test(id) && Number(id) <= LARGEST_INTEGER)
const isUsed =
  option === undefined ||
  (option === '--resend' && wanted.length > 0 && (areIds || (wanted.length === 1 && wanted[0] === 'all')))

if (!isUsed) say(`Usage: ${USAGE}`, 1)
else
  await onDatabase(open, {
    inUse: 'Nothing was changed: stop it, run this again, then start it.',
  })

async function open({ database: { db }, now }: Place) {
  await (option === undefined ? list({ db }) : resend({ db, now }))
}

async function list(world: Parameters<typeof givenUp>[0]) {
  const mails = await givenUp(world)
  if (mails.length === 0) say('No mail was given up.')
  for (const { id, template, to, createdAt, attempts, error, isErased } of mails)
    say(
      `${id}  ${createdAt.toISOString().slice(0, 16)}  ${template} to ${to}, ${attempts} ${attempts === 1 ? 'try' : 'tries'}: ${isErased ? 'its text was erased, so it can’t be sent again' : error}`,
    )
  if (mails.length > 0) say(`To send them again: ${USAGE}`)
}

async function resend(world: Parameters<typeof sendAgain>[0]) {
  const ids = wanted[0] === 'all' ? (await givenUp(world)).map(({ id }) => id) : wanted.map(Number)
  const again = await sendAgain(world, ids)
  for (const id of again) say(`Mail ${id} is due again. A running server sends it within a second.`)
  const others = ids.filter((id) => !again.includes(id))
  for (const id of others)
    say(`Mail ${id} was left alone: it wasn’t given up, or its text was erased.`, wanted[0] === 'all' ? 0 : 1)
  if (ids.length === 0) say('No mail was given up.')
}
