import pg from 'pg'

const OF_EACH_MILLION = { consults: 40_000, members: 10_000, renewals: 960_000 }
const MESSAGES = 25
/** Renewal entries between two consult entries. */
const RENEWALS = OF_EACH_MILLION.renewals / OF_EACH_MILLION.consults
/** Above the ids of the demo. */
const FIRST = 1_000_000
const VETS = 200
/** The last consult is of last week, so that the demo stays the present. */
const ENDS = `date_trunc('day', now()) - interval '7 days'`
const YEARS = `interval '8 years'`
const BEGINS = `${ENDS} - ${YEARS}`
const AROUND = ['users', 'pets', 'consultations', 'read_marks', 'subscriptions', 'purchases']
const SETTINGS = `set session_replication_role = replica; set maintenance_work_mem = '1GB';
  set max_parallel_maintenance_workers = 0`

/** The id of a filled owner and of their pet, membership, purchase and charge; a late consult; its vet. */
export function consultOf(millions: number) {
  const members = millions * OF_EACH_MILLION.members
  const owner = FIRST + 7
  const n = millions * OF_EACH_MILLION.consults - members + 7
  return { owner, consult: FIRST + n, vet: FIRST + members + (n % VETS) }
}

/** The moment of row `n` of `all`, evenly over the years. */
const momentOf = (n: string, all: number) => `${ENDS} - ${YEARS} * (1 - ${n}::float8 / ${all})`

/** Rows are inserted in steps, so that the progress shows. */
const STEP = 2_000_000

function statements(millions: number) {
  const consults = millions * OF_EACH_MILLION.consults
  const members = millions * OF_EACH_MILLION.members
  const renewals = millions * OF_EACH_MILLION.renewals
  const owner = `${FIRST} + n % ${members}`
  const vet = `${FIRST} + ${members} + n % ${VETS}`
  const started = momentOf('n', consults)
  const everyConsult = `from generate_series(0, ${consults - 1}) n`
  const everyMember = `from generate_series(0, ${members - 1}) n`
  const around = [
    `insert into users (id, public_id, email, first_name, last_name, region, email_confirmed_at, created_at)
     overriding system value
     select ${FIRST} + n, 'filled' || n, 'filled' || n || '@example.com', 'Owner', 'Number ' || n, 'za', ${BEGINS}, ${BEGINS}
     ${everyMember}`,
    `insert into users (id, public_id, email, first_name, last_name, type, registration, region, created_at)
     overriding system value
     select ${vet}, 'vet' || n, 'vet' || n || '@example.com', 'Vet', 'Number ' || n, 2, 'F' || n, 'za', ${BEGINS}
     from generate_series(0, ${VETS - 1}) n`,
    `insert into pets (id, owner_id, name, species_id) overriding system value
     select ${FIRST} + n, ${FIRST} + n, 'Biscuit', 1 ${everyMember}`,
    `insert into subscriptions (id, user_id, plan, region, price, currency, stripe_subscription, status, recurring_start, current_period_end)
     overriding system value
     select ${FIRST} + n, ${FIRST} + n, 'monthly', 'za', 14900, 'zar', 'sub_f' || n, 'active', ${BEGINS}, now() + interval '20 days'
     ${everyMember}`,
    `insert into consultations (id, type, region, user_id, pet_id, vet_id, pet_issue, start, vet_start, first_taken_at, "end", follow_up_at, last_seq)
     overriding system value
     select ${FIRST} + n, 1, 'za', ${owner}, ${owner}, ${vet}, 'She limps', ${started}, ${started} + interval '5 minutes',
       ${started} + interval '5 minutes', ${started} + interval '30 minutes', ${started} + interval '3 days', ${MESSAGES}
     ${everyConsult}`,
    `insert into read_marks (consultation_id, user_id, delivered, seen) select ${FIRST} + n, ${owner}, ${MESSAGES}, ${MESSAGES} ${everyConsult}`,
    `insert into purchases (id, token_hash, kind, state, region, amount, currency, user_id, email, idempotency_key, payload_hash, "order",
       consultation_id, created_at, paid_at, delivered_at)
     overriding system value
     select ${FIRST} + n, 'f' || n, 'consult', 'delivered', 'za', 39900, 'zar', ${owner}, 'filled' || n % ${members} || '@example.com', 'f' || n, '', '{}',
       ${FIRST} + n, ${started}, ${started}, ${started}
     ${everyConsult}`,
  ]
  const steps = (all: number) =>
    Array.from({ length: Math.ceil(all / STEP) }, (_, at) => [at * STEP, Math.min(all, (at + 1) * STEP) - 1])
  const messages = steps(consults).map(
    ([from, to]) => `insert into messages (consultation_id, seq, client_id, user_id, body, at)
     select ${FIRST} + n, seq, 'f' || seq, case seq % 2 when 1 then ${owner} else ${vet} end, 'Yes', ${started} + interval '1 minute' * seq
     from generate_series(${from}, ${to}) n, generate_series(1, ${MESSAGES}) seq`,
  )
  const ledger = [
    ...steps(renewals).map(
      ([
        from,
        to,
      ]) => `insert into ledger (id, at, kind, amount, currency, region, what, user_id, subscription_id, stripe_id) overriding system value
     select ${FIRST} + n + n / ${RENEWALS}, ${momentOf('n', renewals)}, 'charge', 14900 + 1000 * (n % 5)::int, 'zar', 'za', 'renewal', ${owner}, ${owner}, 'pi_f' || n
     from generate_series(${from}, ${to}) n`,
    ),
    `insert into ledger (id, at, kind, amount, currency, region, what, user_id, purchase_id, consultation_id, stripe_id) overriding system value
     select ${FIRST} + ${RENEWALS} + n * ${RENEWALS + 1}, ${started}, 'charge', 39900, 'zar', 'za', 'consult', ${owner}, ${FIRST} + n, ${FIRST} + n, 'pi_c' || n
     ${everyConsult}`,
  ]
  return { around, messages, ledger }
}

/**
 * Fills a database that holds the demo with this many millions of messages and of ledger entries. Only on a server that
 * is thrown away: constraints between tables aren't checked, and indexes are built afterwards.
 */
export async function fill(databaseUrl: string, millions: number, say: (what: string) => void) {
  const { around, messages, ledger } = statements(millions)
  const filled = async (inserts: string[], tables: string[]) => {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    const run = async (statement: string) => {
      say(statement.replace(/\s+/g, ' ').slice(0, 60))
      await client.query(statement)
    }
    await client.query(SETTINGS)
    const own = `indrelid = any(array[${tables.map((table) => `'${table}'::regclass`).join(', ')}])`
    await client.query(`update pg_index set indisready = false, indisvalid = false where ${own}`)
    for (const statement of inserts) await run(statement)
    await client.query(`update pg_index set indisready = true, indisvalid = true where ${own}`)
    for (const table of tables) await run(`reindex table ${table}`)
    for (const table of tables) await run(`vacuum (analyze) ${table}`)
    await client.end()
  }
  await Promise.all([filled(around, AROUND), filled(messages, ['messages']), filled(ledger, ['ledger'])])
}
