import { REGIONS } from '#contract/regions.ts'
import { openPostgres } from '#server/db/client.ts'
import { getOverview } from '#server/overview/reads.ts'
import { DAYS_AT_ONCE, keepDays } from '#server/overview/writes.ts'
import { tokenOf } from '#test/e2e/people.ts'
import { connectTo } from '../postgres.ts'
import { getAs, postAs } from '../drills/load.ts'
import { filled, MANY, OWNERS } from './list.ts'
import { inTurn, median, queriesOf, slowestOf } from './measure.ts'
import { atMost, type Row } from './row.ts'

const ENTRIES = 1_000_000
const CONSULTS = MANY
const RENEWALS = ((ENTRIES - CONSULTS) * 49) / 50
const COUPONS = 20_000
const MAILS = 200_000
const YEARS = 3
const ROUNDS = 5
const DAYS = 90
const { currency, prices } = REGIONS.za
const CALLS = 50_000
const CLINICS = 200

/** The first page, a late one, each way of searching, and lists with few entries. */
const LISTS = [
  '/ledger',
  '/ledger?cursor=500000',
  '/ledger?q=VC-400000',
  '/ledger?q=R450',
  '/ledger?q=thandi',
  '/ledger?q=mokoena%2017',
  '/ledger?q=bench77',
  '/ledger?q=nobody-at-all',
  '/ledger?about=disputes',
  '/refunds/failed',
  '/purchases/unfinished',
  '/pay/getCoupons',
  '/pay/getCoupons?sort=used',
  '/pay/getCoupons?q=vet&state=ended',
]

/** Other lists for admins: the insurer's files, the jobs, and the mails by state and by address. */
const LOGS = ['/logs/feed', '/logs/jobs', '/logs/audit/filters']
const MAILS_ASKED = [
  {},
  { state: 'waiting' },
  { state: 'sent' },
  { state: 'given_up' },
  { to: 'bench77@example.com' },
]

/** Memberships, three years of renewals, a refund for one in fifty, waits told, ratings, and calls that clinics were spared. */
async function fillBooks(databaseUrl: string) {
  // The product's own connections give up after seconds, and its triggers count every row.
  await using client = await connectTo(databaseUrl)
  for (const statement of [
    'set session_replication_role = replica',
    `update consultations set told_from = 2, told_to = 2 + id % 9, vet_start = start + (10 + id * 7919 % 700) * interval '1 s'
      where "end" is not null and type <> 3`,
    `insert into ratings (consultation_id, stars, words, at)
      select id, 1 + id % 5, case when id % 3 = 0 then 'Calm and clear.' else '' end, "end"
      from consultations where "end" is not null and id % 2 = 0 on conflict do nothing`,
    `insert into subscriptions (user_id, plan, region, price, currency, stripe_subscription, status, recurring_start, ended_at)
      select id, 'monthly', 'za', ${prices.monthly}, '${currency}', 'sub_bench_' || id, 'active',
        now() - (id % 1095) * interval '1 day', case when id % 10 = 0 then now() - (id % 90) * interval '1 day' end
      from users where email like 'bench%'`,
    `insert into ledger (at, kind, amount, currency, region, what, user_id, subscription_id, stripe_id)
      select now() - (${RENEWALS} - n) * interval '${YEARS} years' / ${RENEWALS}, 'charge', ${prices.monthly}, '${currency}',
        'za', 'renewal', owned.user_id, owned.id, 'pi_bench_' || n
      from generate_series(1, ${RENEWALS}) n
      join (select id, user_id, row_number() over (order by id) - 1 as at
        from subscriptions where stripe_subscription like 'sub_bench%') owned on owned.at = n % ${OWNERS}`,
    `insert into ledger (at, kind, amount, currency, region, what, user_id, subscription_id, charge_id, stripe_id)
      select at + interval '1 hour', 'refund', -amount, currency, region, what, user_id, subscription_id, id, 're_bench_' || id
      from ledger where stripe_id like 'pi_bench%' order by id desc limit ${ENTRIES - CONSULTS - RENEWALS}`,
    `insert into purchases (token_hash, kind, state, region, amount, currency, user_id, email, idempotency_key, payload_hash,
        "order", consultation_id, paid_at, delivered_at)
      select 'bench' || one.id, 'consult', 'delivered', 'za', ${prices.consult}, '${currency}', one.user_id, users.email,
        'bench' || one.id, '', '{}', one.id, one.start, one.start
      from consultations one join users on users.id = one.user_id where users.email like 'bench%'`,
    `insert into ledger (at, kind, amount, currency, region, what, purchase_id, consultation_id, stripe_id)
      select paid_at, 'charge', amount, currency, region, 'consult', id, consultation_id, 'pi_consult_' || id
      from purchases where idempotency_key like 'bench%'`,
    `insert into coupons (code, percent_off, referrer, uses)
      select 'VETBENCH' || n, 10, 'Clinic ' || n % 50, case when n % 3 = 0 then 1 end from generate_series(1, ${COUPONS}) n`,
    // Without statistics on these rows the database would compare each coupon with each purchase.
    'analyze purchases, coupons',
    `insert into coupon_uses (coupon_id, purchase_id, buyer)
      select coupon.id, bought.id, 'bench' || bought.id
      from (select id, row_number() over (order by id) as place from coupons where code like 'VETBENCH%') coupon
      join (select id, row_number() over (order by id) as place from purchases where idempotency_key like 'bench%') bought
        on coupon.place = 1 + bought.place * 7 % ${COUPONS}`,
    `insert into mails (message_id, template, region, "to", subject, text, html, due_at, sent_at, failed_at)
      select 'bench' || n, 'receipt', 'za', 'bench' || n % ${OWNERS} || '@example.com', 'Your receipt', '', '', now(),
        case when n % 500 > 1 then now() end, case when n % 500 = 0 then now() end
      from generate_series(1, ${MAILS}) n`,
    `insert into clinics (clinic, region, contacts) select 'Bench ' || n, 'za', '{}' from generate_series(1, ${CLINICS}) n`,
    `insert into consultations (type, region, clinic_id, vet_id, caller, pet_issue, start, vet_start, "end", clinic_notified_at)
      select 3, 'za', clinic.id, vet.id, '{"name":"Sam","phone":"","email":"","pet":"Rex","speciesId":1}', 'Called at night', at, at, at, at
      from (select n, now() - n * interval '12 weeks' / ${CALLS} as at from generate_series(1, ${CALLS}) n) s
      join (select id, row_number() over (order by id) - 1 as place from clinics where clinic like 'Bench %') clinic
        on clinic.place = n % ${CLINICS}
      cross join (select min(id) as id from users where type = 2) vet`,
    `insert into phone_consults (consultation_id, key, recorded_by, urgency, decision)
      select id, 'bench' || id, vet_id, 'soon', (array['hours', 'hours', 'contact', 'emergency'])[1 + id % 4]
      from consultations where pet_issue = 'Called at night'`,
    'truncate day_figures, day_changes',
    'vacuum analyze',
  ])
    await client.query(statement)
}

/** The job's work of a quarter of an hour. Returns how long its longest run took. */
async function keepAllDays(databaseUrl: string): Promise<number> {
  const { db, close } = await openPostgres(databaseUrl)
  let longest = 0
  for (let days = 0; days < DAYS; days += DAYS_AT_ONCE) {
    const began = performance.now()
    await db.transaction((tx) => keepDays({ db: tx as never, now: () => new Date() }))
    longest = Math.max(longest, performance.now() - began)
  }
  await close()
  return longest
}

export default async function overviewAtSize(): Promise<Row[]> {
  await using service = await filled(MANY)
  const { product, databaseUrl, env } = service
  await fillBooks(databaseUrl)
  const keeping = await keepAllDays(databaseUrl)
  const token = await tokenOf('admin', product.url)
  const queries = await queriesOf(databaseUrl, env.SECRET, token, (ctx) =>
    getOverview({ ...(ctx as object), region: 'za' } as never, { days: DAYS }),
  )
  const { pool, close } = await openPostgres(databaseUrl)
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const slowest: { text: string; ms: number }[] = []
  for (const { text, values } of queries) {
    const runs: number[] = []
    for (let round = 0; round <= ROUNDS; round++) runs.push(await timed(() => pool!.query(text, values)))
    slowest.push({ text, ms: median(runs.slice(1)) })
  }
  slowest.sort((one, other) => other.ms - one.ms)
  if (process.env['EXPLAIN'])
    for (const { text, ms } of slowest) process.stderr.write(`${ms.toFixed(1)} ms ${text.slice(0, 400)}\n\n`)
  const read = (path: string) => () => getAs(product.url, token, path)
  const { whole } = await inTurn(ROUNDS, {
    whole: () =>
      timed(async () => {
        const answer = await read(`/overview?days=${DAYS}`)()
        if (!answer.ok) throw new Error(`The overview answers ${answer.status}`)
        await answer.arrayBuffer()
      }),
  })
  const listed = await slowestOf(LISTS.map((path) => read(path)))
  const askMails = (body: object) => () => postAs(product.url, token, '/logs/mails', body)
  const logged = await slowestOf([...LOGS.map((path) => read(path)), ...MAILS_ASKED.map(askMails)])
  const deferred = await slowestOf([read('/deferred')])
  await close()
  const row = (job: string, figure: number, most: number) => atMost(most, { job, unit: 'ms', figure })
  return [
    row(
      `GET /overview, ${DAYS} days of ${MANY} consults and ${ENTRIES} ledger rows: the slowest of ${queries.length} queries`,
      slowest[0]!.ms,
      100,
    ),
    row('GET /overview, the whole answer', whole, 1000),
    row(`The job that sums up days for it: ${DAYS_AT_ONCE} days of each region`, keeping, 1000),
    row(`The slowest of ${LISTS.length} lists of money at ${ENTRIES} ledger rows`, listed, 100),
    row(
      `The slowest of ${LOGS.length + MAILS_ASKED.length} lists of mails, files and jobs at ${MAILS} mails`,
      logged,
      100,
    ),
    row(`GET /deferred, which anybody may ask, over ${CALLS} calls`, deferred, 50),
  ]
}
