// Proves that the ledger adds up: npm run ledger [-- DAYS]. Exits with 1 if it doesn't. Uses the server's database.
import { ledgerCheckLetter } from '#server/ledger/emails.ts'
import { checkLedger, LOOKED_BACK_DAYS } from '#server/ledger/jobs.ts'
import { mailKeeper } from '#server/mail/outbox.ts'
import { openPayments } from '#server/providers/stripe.ts'
import { onDatabase, type Place, say } from './own-database.ts'

const USAGE = 'npm run ledger [-- DAYS]'
const [days = String(LOOKED_BACK_DAYS), ...more] = process.argv.slice(2)

if (!/^[1-9]\d{0,3}$/.test(days) || more.length > 0) say(`Usage: ${USAGE}`, 1)
else
  await onDatabase((place) => prove(Number(days), place), {
    inUse: 'Stop it first; with PostgreSQL this works beside running servers.',
  })

async function prove(days: number, { env, database: { db }, now }: Place) {
  // This script signs nothing, so any secret will do.
  const payments = openPayments(env, { db, now, secret: new Uint8Array(32) })
  const proof = await checkLedger({ db, now, payments }, days)
  await mailKeeper({ env, db, now, wake: () => {} }, 'ledger', ledgerCheckLetter(proof))
  say([proof.says, ...proof.wrong].join('\n'), proof.wrong.length === 0 ? 0 : 1)
}
