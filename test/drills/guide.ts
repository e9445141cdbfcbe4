import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { MINUTE } from '#contract/time.ts'
import { freePort } from '#test/e2e/product.ts'
import { connectTo, startPostgres } from '#test/postgres.ts'
import { startBucket, startRedis } from './bucket-and-redis.ts'
import { until } from './load.ts'
import { startMailServer } from './mail-server.ts'
import { startNginx } from './nginx.ts'
import { startRelay } from './relay.ts'
import type { Drill } from './run.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const execute = promisify(execFile)

/** Commands of the page that change more than an empty folder, and what is tried instead. */
const ELSEWHERE: Record<string, string> = {
  'docker compose -f deploy/compose.yml --env-file .env up -d':
    'the Containerfile’s steps, without containers',
  'docker compose -f deploy/compose.yml exec app node app/admin.js you@example.com': 'the same in the folder',
  'cp deploy/vetchat.service /etc/systemd/system/': 'the unit’s ExecStart with its Environment',
  'systemctl enable --now vetchat': 'likewise',
  'apt install coturn': 'the one that is installed',
  'npm run drill -- restart': 'is a drill itself',
  'npm run drill -- version-before': 'likewise',
}

/** The shell commands that the page gives in its text. */
const commandsOf = (page: string) => [
  ...new Set(
    [...page.replaceAll(/```[^`]*```/g, '').matchAll(/`([^`]+)`/g)]
      .map(([, code]) => code!.replaceAll(/\s+/g, ' '))
      .filter((code) =>
        /^(npm|node|docker|cp|systemctl|apt|turnserver|[A-Z_]+=\S+( [A-Z_]+=\S+)* (npm|node)) /.test(code),
      ),
  ),
]

/** What the steps of the last stage of the container file, or the unit, start, and with which variables. */
function startOf(file: string, command: RegExp, variables: RegExp) {
  const text = read(file)
  const last = text.slice(Math.max(0, text.lastIndexOf('FROM ')))
  const [, given] = command.exec(last)!
  const words = given!.startsWith('[') ? (JSON.parse(given!) as string[]) : given!.split(' ')
  return {
    words,
    env: Object.fromEntries(
      variables
        .exec(last)![1]!
        .split(' ')
        .map((pair) => pair.split('=')),
    ),
  }
}

/** Follows docs/running.md in an empty folder, with everything that it names on this machine. */
export default {
  n: 1,
  async run() {
    const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-guide-'))
    const at = (...names: string[]) => path.join(folder, ...names)
    mkdirSync(at('bin'))
    // A machine with Node.js 24.
    symlinkSync(process.execPath, at('bin/node'))
    const PATH = `${at('bin')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin`
    const notes: string[] = []
    const ran = new Set<string>()
    const check = (what: string, holds: boolean) => void (holds || notes.push(what))

    await using postgres = await startPostgres()
    using mail = await startMailServer({})
    await using relay = await startRelay()
    ran.add('turnserver -c turnserver.conf')
    using redis = await startRedis()
    using files = await startBucket()
    const bucket = files.env.FILES_URL
    const [onePort, otherPort] = [await freePort(), await freePort()]
    await using admin = await connectTo(postgres.url)
    const database = async (name: string) => {
      await admin.query(`create database ${name}`)
      return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
    }

    // .env.example says: remove the # before what you set, and load it with a shell.
    const settings: Record<string, string> = {
      DATABASE_URL: await database('vetchat'),
      SECRET: 'at least 32 characters, the same on every instance',
      ...redis.env,
      SITE_URL: 'https://vetchat.example',
      ...mail.env,
      STRIPE_SECRET_KEY: 'sk_test_KEY',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_KEY',
      STRIPE_WEBHOOK_SECRET: 'whsec_KEY',
      ...files.env,
      ...relay.env,
      METRICS_TOKEN: 'a long random word',
    }
    const envFile = (own: Record<string, string | undefined> = {}) => {
      const all = { ...settings, ...own }
      const lines = read('.env.example')
        .split('\n')
        .map((line) => {
          const name = /^# (\w+)=/.exec(line)?.[1] ?? ''
          const value = all[name]
          delete all[name]
          return value === undefined ? line : `${name}='${value}'`
        })
      check(
        `.env.example lacks ${Object.keys(all)}`,
        Object.values(all).every((value) => value === undefined),
      )
      writeFileSync(at('.env'), lines.join('\n'))
    }
    const load = `set -a; . ${at('.env')}; set +a;`
    /** Runs a command of the page, named as the page has it. */
    async function command(named: string, meant = named, { cwd = at('app'), says = '', code = 0 } = {}) {
      ran.add(named)
      const result = await execute('sh', ['-c', `${load} ${meant}`], {
        cwd,
        env: { ...process.env, PATH },
        timeout: 600_000,
      }).then(
        ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
        (error: { code: number; stdout: string; stderr: string }) => ({
          code: error.code,
          said: error.stdout + error.stderr,
        }),
      )
      const holds = result.code === code && result.said.includes(says)
      check(`${meant}: ${result.code}, ${result.said.trim().slice(-300)}`, holds)
      return result.said
    }
    /** Starts a server in the background and waits until it is ready. */
    async function serve(words: string[], env: Record<string, string>, port: number) {
      const child = spawn('sh', ['-c', `${load} exec ${words.join(' ')}`], {
        cwd: at('app'),
        env: { PATH, ...env, PORT: `${port}`, LOG_LEVEL: 'info' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => void (said += String(text)))
      const isReady = () =>
        fetch(`http://127.0.0.1:${port}/api/health`).then(
          (answer) => answer.ok,
          () => false,
        )
      await until(async () => (await isReady()) || child.exitCode !== null, { every: 50, within: MINUTE })
      check(`${words.join(' ')} doesn’t start: ${said.slice(-300)}`, await isReady())
      return {
        said: () => said,
        async stop() {
          child.kill('SIGTERM')
          if (child.exitCode === null) await once(child, 'exit')
          check(`${words.join(' ')} ends with ${child.exitCode}`, child.exitCode === 0)
        },
      }
    }

    // A build that runs alone, by the container file: COPY . . without .dockerignore's, RUN, COPY --from=build.
    const ignored = read('.dockerignore').split('\n').filter(Boolean)
    cpSync(ROOT, at('src'), {
      recursive: true,
      filter: (file) => !ignored.includes(path.relative(ROOT, file)),
    })
    envFile()
    const [, build] = /^RUN (npm run build)$/m.exec(read('deploy/Containerfile'))!
    await command(build!, build, { cwd: at('src'), says: 'build/ runs alone' })
    if (notes.length > 0) throw new Error(notes.join('\n'))
    cpSync(at('src/build'), at('app'), { recursive: true })
    rmSync(at('src'), { recursive: true })

    const container = startOf('deploy/Containerfile', /^CMD (.*)$/m, /^ENV (.*)$/m)
    const unit = startOf('deploy/vetchat.service', /^ExecStart=\/usr\/bin\/(.*)$/m, /^Environment=(.*)$/m)
    ran.add('NODE_ENV=production node --expose-gc app/main.js')
    const own = (name: string) => ({ DATA_DIR: at(name), NODE_COMPILE_CACHE: at(`${name}-compiled`) })
    const one = await serve(container.words, { ...container.env, ...own('one'), HOST: '127.0.0.1' }, onePort)
    const other = await serve(unit.words, { ...unit.env, ...own('other') }, otherPort)
    const [, health] = /^ {2}CMD (\[.*\])$/m.exec(read('deploy/Containerfile'))!
    const [node, ...words] = JSON.parse(health!.replace('3000', `${onePort}`)) as [string, ...string[]]
    await execute(node, words, { env: { PATH } }).catch((error: Error) => notes.push(error.message))
    const nginx = await startNginx([onePort, otherPort])
    const page = await fetch(`${nginx.url}/login`)
    check(`/login answers ${page.status}`, page.ok && page.headers.get('strict-transport-security') !== null)
    const metrics = async (headers: Record<string, string>) =>
      (await fetch(`${nginx.url}/api/metrics`, { headers: { 'x-forwarded-for': '192.0.2.1', ...headers } }))
        .status
    check('metrics are open to anybody', (await metrics({})) === 404)
    check(
      'metrics are closed to who has the token',
      (await metrics({ authorization: 'Bearer a long random word' })) === 404,
    )

    // People, while servers are running.
    await command('npm run admin -- EMAIL', 'npm run admin -- first@example.com', { says: 'is an admin now' })
    await command('node app/admin.js EMAIL', 'node app/admin.js second@example.com', {
      says: 'is an admin now',
    })
    await command('npm run admin -- EMAIL', 'npm run admin -- second@example.com --remove', {
      says: 'no admin any more',
    })
    await command(
      'npm run vet -- EMAIL --registration NUMBER [--region au]',
      'npm run vet -- vet@example.com --registration D18/12345',
      { says: 'vet@example.com' },
    )
    await command(
      'npm run clinic -- NAME --email EMAIL [--region au]',
      "npm run clinic -- 'Sea Point Vet' --email clinic@example.com",
      { says: 'is a clinic now' },
    )
    const areMailed = await until(() => mail.taken.length >= 3, { within: MINUTE / 2 })
    check(`${mail.taken.length} of 3 links were mailed`, areMailed)
    await command('npm run factor -- EMAIL', 'npm run factor -- first@example.com', { code: 1 })
    await command('npm run mails', 'npm run mails')
    await command('npm run mails -- --resend ID …', 'npm run mails -- --resend all')
    writeFileSync(
      at('policies.csv'),
      'policy,holder_email,pet_name,species,state\nP1,owner@example.com,Rex,Dog,live\n',
    )
    await command('npm run feed -- FILE', `npm run feed -- ${at('policies.csv')}`)
    await command('npm run feed -- FILE --yes', `npm run feed -- ${at('policies.csv')} --yes`)
    // Stripe isn't reached from a drill: the command says so, and that nothing was compared with it.
    await command('npm run ledger [-- DAYS]', 'npm run ledger -- 3', { code: 1 })

    // Redis goes away and comes back: pushes go through PostgreSQL, and readiness says so.
    redis.stop()
    const readiness = async () =>
      (await (await fetch(`http://127.0.0.1:${onePort}/api/health`)).json()) as { redis?: string }
    const isAway = async () => (await readiness()).redis === 'away'
    check('readiness doesn’t say that Redis is away', await until(isAway, { every: 50, within: 5000 }))
    check('the log doesn’t say that Redis is away', one.said().includes('carrier out of reach'))

    // Backup to a folder and to the bucket, and back into an empty database and an empty bucket.
    await command('npm run backup -- FOLDER', `npm run backup -- ${at('backup')}`, { says: 'Backed up' })
    await command(
      'npm run backup -- FOLDER',
      `npm run backup -- ${bucket.replace('uploads', 'uploads/backup')}`,
      { says: 'Backed up' },
    )
    await nginx.stop()
    await one.stop()
    await other.stop()
    envFile({
      DATABASE_URL: await database('restored'),
      FILES_URL: `${bucket}/restored`,
      ...Object.fromEntries(
        [
          'REDIS_URL',
          'SMTP_URL',
          'MAIL_FROM',
          'STRIPE_SECRET_KEY',
          'STRIPE_PUBLISHABLE_KEY',
          'STRIPE_WEBHOOK_SECRET',
        ].map((name) => [name, undefined]),
      ),
    })
    await command('npm run restore -- FROM', `npm run restore -- ${at('backup')}`, { says: 'Restored' })
    ran.add('JOBS=off npm start').add('npm start')
    const restored = await serve(['env', 'JOBS=off', 'npm', 'start'], own('third'), await freePort())
    check('a restored copy doesn’t say that it is one', restored.said().includes('JOBS is off'))
    await restored.stop()

    rmSync(folder, { recursive: true, force: true })
    const tried = (page: string) => commandsOf(page).filter((one) => !ran.has(one) && !(one in ELSEWHERE))
    const untried = tried(read('docs/running.md'))
    const seesUntried = tried('Type `npm run nothing`.').length === 1
    return {
      figure: {
        ran: ran.size,
        elsewhere: Object.keys(ELSEWHERE).length,
        untried,
        failed: notes,
        seesUntried,
      },
      target: 'every command of docs/running.md runs in an empty folder and does what the page says',
      pass: untried.length + notes.length === 0 && seesUntried,
    }
  },
} satisfies Drill
