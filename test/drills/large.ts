import { createReadStream, statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { MINUTE } from '#contract/time.ts'
import { startPostgres } from '#test/postgres.ts'
import { tokenOf } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import { clusterEnv, peopleIn } from './cluster.ts'
import { consultOf, fill } from './fill.ts'
import { openLive } from './live.ts'
import { getAs, pause } from './load.ts'
import type { Drill } from './run.ts'
import { wholeConsult } from './whole-consult.ts'

const LARGE = ['messages', 'ledger']
/** Every job runs once after a start, and then in its own rhythm. */
const JOBS_WITHIN = MINUTE
/** A statement that reads more rows of a large table than this scans it, whatever its plan says: a twentieth of all rows. */
const mostRows = (millions: number) => Math.max(50_000, millions * 50_000)
interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}
interface Explained {
  query: string
  ms: number
  /** What was read from the large tables. */
  rows: number
  pages: number
  ways: string[]
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The statements in PostgreSQL's log that touch a large table, each at its worst. Plans are the lines that begin with a tab. */
async function explainedIn(log: string, from: number): Promise<Explained[]> {
  const worst = new Map<string, Explained>()
  function keep(ms: number, text: string) {
    const { 'Query Text': words, Plan: plan } = JSON.parse(text) as { 'Query Text': string; Plan: Node }
    const touched = nodesOf(plan).filter((node) => LARGE.includes(node['Relation Name'] ?? ''))
    if (touched.length === 0) return
    const rowsOf = (node: Node) =>
      node['Actual Loops'] *
      (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0))
    const wayOf = (node: Node) =>
      `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`.toLowerCase()
    const query = words.replace(/\s+/g, ' ')
    // The same statement with a list of another length counts as the same.
    const key = query.replace(/\$\d+(, \$\d+)*/g, '$')
    if ((worst.get(key)?.ms ?? 0) >= ms) return
    worst.set(key, {
      query,
      ms,
      rows: touched.reduce((sum, node) => sum + rowsOf(node), 0),
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      ways: [...new Set(touched.map(wayOf))],
    })
  }
  let plan: { ms: number; text: string } | undefined
  for await (const line of createInterface(createReadStream(log, { start: from }))) {
    if (line.startsWith('\t')) {
      if (plan) plan.text += line
      continue
    }
    if (plan) keep(plan.ms, plan.text)
    const [, duration] = /LOG: {2}duration: ([\d.]+) ms {2}plan:$/.exec(line) ?? []
    plan = duration === undefined ? undefined : { ms: Number(duration), text: '' }
  }
  return [...worst.values()].toSorted((a, b) => b.ms - a.ms)
}

const isScan = (millions: number, { rows, ways }: Explained) =>
  rows > mostRows(millions) || ways.some((way) => way.startsWith('seq scan'))

/** Each kind of person's calls that read messages or money. `n` is a filled owner, pet, consult and charge. */
function callsOf(n: number, consult: number) {
  const ofConsult = ['', '/messages', '/messages?before=20', '/messages?after=5', '/access']
  return {
    owner: [
      '/user/me',
      '/consultation',
      '/consultation?filter=all',
      '/consultation/open',
      ...ofConsult.map((call) => `/consultation/${consult}${call}`),
      `/pet/${n}/record`,
      '/receipts',
      '/claims',
      '/user/export',
      '/user/looks',
    ],
    vet: [
      ...['all', 'available', 'in_progress', 'completed'].map((filter) => `/consultation?filter=${filter}`),
      ...ofConsult.map((call) => `/consultation/${consult}${call}`),
      `/consultation/${consult}/files`,
      `/consultation/${consult}/record`,
      `/pet/${n}/record`,
      '/queue/follow-ups',
      '/queue/owners-here',
      '/user/export',
    ],
    admin: [
      '/overview',
      '/ledger',
      ...['owner', 'filled77@example.com', 'number 77', '399', '149', `${n}`, `VC-${n}`, 'nobody'].map(
        (q) => `/ledger?q=${encodeURIComponent(q)}`,
      ),
      `/ledger?cursor=${n + 1000}`,
      `/ledger?q=399&cursor=${n + 1000}`,
      '/ledger?about=disputes',
      '/refunds/failed',
      '/purchases/unfinished',
      '/logs/audit',
      `/logs/audit?person=${n}`,
      `/people/${n}`,
      `/consultation/${consult}?why=A%20complaint`,
      `/consultation/${consult}/messages`,
      `/consultation/${consult}/files`,
      '/clinics',
    ],
  }
}

/**
 * Makes every call that reads messages or the ledger on this database, lets the jobs run, and returns the plans that
 * PostgreSQL wrote into its log.
 */
async function lookAt(
  databaseUrl: string,
  {
    log,
    millions,
    jobs = JOBS_WITHIN,
    say,
  }: {
    log: string
    millions: number
    jobs?: number
    say: (what: string) => void
  },
) {
  await using people = await peopleIn(databaseUrl)
  const { rows } = await people.pool.query<{ name: string }>('select current_database() as name')
  const set = (setting: string) => people.pool.query(`alter database "${rows[0]!.name}" set ${setting}`)
  await set("session_preload_libraries = 'auto_explain'")
  for (const setting of ['log_min_duration = 0', 'log_analyze = on', 'log_buffers = on', 'log_format = json'])
    await set(`auto_explain.${setting}`)
  const before = statSync(log).size
  const product = await startProduct({ env: clusterEnv(databaseUrl) })
  const { url } = product
  const { owner, vet, consult } = consultOf(millions)
  const tokens = {
    owner: await people.signIn(owner),
    vet: await people.signIn(vet),
    admin: await tokenOf('admin', url),
  }
  const refused: string[] = []
  for (const [who, calls] of Object.entries(callsOf(owner, consult)) as [keyof typeof tokens, string[]][])
    for (const call of calls) {
      const began = performance.now()
      const answer = await getAs(url, tokens[who], call)
      const text = await answer.text()
      say(`${who} ${call}: ${answer.status}, ${Math.round(performance.now() - began)} ms`)
      if (!answer.ok) refused.push(`${who} ${call}: ${answer.status} ${text.slice(0, 100)}`)
    }
  const live = await openLive(url, { token: tokens.owner })
  await live.ask('joinRoom', { consultation: consult, after: 0 })
  live.close()
  const { talkers } = await wholeConsult({ url, n: 1, vet: { token: await people.signIn(vet) } })
  for (const talker of talkers) talker.close()
  say('jobs')
  await pause(jobs)
  await product.remove()
  return { explained: await explainedIn(log, before), refused }
}

/** n million messages and as many ledger entries: no call and no job reads a large table from end to end. */
export default {
  n: 1,
  async run(n) {
    const say = (what: string) => void process.stderr.write(`${what}\n`)
    await using postgres = await startPostgres()
    const first = await startProduct({ env: clusterEnv(postgres.url) })
    await first.stop()
    await fill(postgres.url, n, say)
    const log = path.join(new URL(postgres.url).searchParams.get('host')!, 'log')
    const { explained, refused } = await lookAt(postgres.url, { log, millions: n, say })
    const scans = explained.filter((one) => isScan(n, one))
    return {
      figure: {
        millions: n,
        statements: explained.length,
        slowest: explained.slice(0, 10),
        scans,
        refused,
      },
      target: 'no statement of a call or job reads messages or ledger from end to end',
      pass: explained.length > 20 && scans.length === 0 && refused.length === 0,
    }
  },
} satisfies Drill
