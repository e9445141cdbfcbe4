import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { WrongEnv, readEnv, siteOf } from './env.ts'

const SECRET = 'x'.repeat(32)
const LIVE_KEYS = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}
const MAIL = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'hello@vetchat.example' }

it('the server needs no variables', () => {
  const env = readEnv({})
  expect(env).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    demo: true,
    sandbox: 'loopback',
    databaseUrl: undefined,
  })
  expect(env.sites).toEqual([{ region: 'za', url: 'http://127.0.0.1:3000' }])
  expect(env.dataDir).toMatch(/\/\.data$/)
})

it.each([
  [{ PORT: 'x' }, 'PORT'],
  [{ PORT: '70000' }, 'PORT'],
  [{ SECRET: 'short' }, 'SECRET'],
  [{ SECRET_ALSO: SECRET }, 'SECRET'],
  [{ SECRET, SECRET_ALSO: 'short' }, 'SECRET_ALSO'],
  [{ SECRET, SECRET_ALSO: SECRET }, 'SECRET_ALSO'],
  [{ DATABASE_URL: 'postgres://x/y' }, 'SECRET'],
  [{ DATABASE_URL: 'mysql://x/y', SECRET }, 'DATABASE_URL'],
  [{ REGION: 'nz' }, 'REGION'],
  [{ SITES: 'au' }, 'SITES'],
  [{ SITES: 'nz=https://x.example' }, 'SITES'],
  [{ SITES: 'za=https://x.example' }, 'SITES'],
  [{ SITE_URL: 'https://x.example/path' }, 'SITE_URL'],
  [{ STRIPE_SECRET_KEY: 'sk' }, 'STRIPE_PUBLISHABLE_KEY'],
  [
    { ...LIVE_KEYS, STRIPE_SECRET_KEY: 'pk_live_1', STRIPE_PUBLISHABLE_KEY: 'sk_live_1' },
    'STRIPE_SECRET_KEY',
  ],
  [{ ...LIVE_KEYS, STRIPE_WEBHOOK_SECRET: 'sk_live_1' }, 'STRIPE_WEBHOOK_SECRET'],
  [{ ...LIVE_KEYS, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'STRIPE_PUBLISHABLE_KEY'],
  [{ SMTP_URL: 'smtp://x' }, 'MAIL_FROM'],
  [{ SMTP_URL: 'smtp://x', MAIL_FROM: 'nobody' }, 'MAIL_FROM'],
  [{ TURN_URL: 'turn:x' }, 'TURN_SECRET'],
  [{ TURN_URL: 'https://x', TURN_SECRET: 'x' }, 'TURN_URL'],
  [{ STUN_URL: 'x:3478' }, 'STUN_URL'],
  [{ TURN_ONLY: 'on' }, 'TURN_ONLY'],
  [{ TURN_ONLY: 'perhaps' }, 'TURN_ONLY'],
  [{ INSURER_EMAIL: 'claims' }, 'INSURER_EMAIL'],
  [{ LEDGER_EMAIL: 'books' }, 'LEDGER_EMAIL'],
  [{ LEGAL_ENTITY: 'VetChat (Pty) Ltd' }, 'LEGAL_ENTITY'],
  [{ LEGAL_ENTITY: 'nz=VetChat Ltd' }, 'LEGAL_ENTITY'],
  [{ LEGAL_ENTITY: 'za=VetChat, 1 Road', TAX_NUMBER: 'za=400 000 000' }, 'TAX_NUMBER'],
  [{ LEGAL_ENTITY: 'au=VetChat, 1 Street', TAX_NUMBER: 'au=4000000000' }, 'TAX_NUMBER'],
  [{ TAX_NUMBER: 'za=4000000000' }, 'LEGAL_ENTITY'],
  [{ LEGAL_ENTITY: 'za=VetChat', TAX_NUMBER: 'za=4000000000' }, 'LEGAL_ENTITY'],
  [{ SHOP_NAME: 'nz=Petculture' }, 'SHOP_NAME'],
  [{ SUPPORT_PHONE: 'za=021 555 0100' }, 'SUPPORT_PHONE'],
  [{ SUPPORT_EMAIL: 'za=hello' }, 'SUPPORT_EMAIL'],
  [{ POLICY_WORDING: 'za=http://x.example' }, 'POLICY_WORDING'],
  [{ INSURER_EMAIL: 'a@x.example, b@x.example' }, 'INSURER_EMAIL'],
  [{ FEED_DIR: '/nowhere/at/all' }, 'FEED_DIR'],
  [{ ANALYTICS_URL: 'counts.example' }, 'ANALYTICS_URL'],
  [{ EXPO_FORM_URL: 'list.example' }, 'EXPO_FORM_URL'],
  [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: '10.0.0.0/99' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: 'loopback, 2001:db8::/129' }, 'TRUST_PROXY'],
  [{ HOST: '999.1.1.1' }, 'HOST'],
  [{ FILES_URL: 'https://files.example/bucket' }, 'FILES_URL'],
  [{ FILES_URL: 's3://files.example/bucket' }, 'FILES_URL'],
  [{ FILES_URL: 's3://key:secret@files.example' }, 'FILES_URL'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ SANDBOX: 'maybe' }, 'SANDBOX'],
  [{ DEMO: 'perhaps' }, 'DEMO'],
  [{ DATABASE_URL: 'postgres://x/y', SECRET }, 'SMTP_URL'],
  [{ SITE_URL: 'https://vetchat.example' }, 'DATABASE_URL'],
  [LIVE_KEYS, 'DATABASE_URL'],
  [MAIL, 'DATABASE_URL'],
  [{ ...MAIL, ...LIVE_KEYS, SITE_URL: 'https://vetchat.example', DEMO: 'off' }, 'DATABASE_URL'],
  [{ ...MAIL, DATABASE_URL: 'embedded', DEMO: 'on' }, 'DEMO'],
  [{ SITE_URL: 'https://vetchat.example', DATABASE_URL: 'postgres://x/y', SECRET, DEMO: 'on' }, 'DEMO'],
  [{ ...LIVE_KEYS, DATABASE_URL: 'embedded', DEMO: 'public' }, 'DEMO'],
])('%o stops the start with one line that names %s [OPS-7]', (source, name) => {
  const refusal = () => readEnv(source)
  expect(refusal).toThrow(WrongEnv)
  expect(refusal).toThrow(new RegExp(`^${name} .+$`))
})

it('what looks like production starts without its own database, or with the demo, only if that is set explicitly [OPS-7]', () => {
  const site = { SITE_URL: 'https://try.vetchat.example', DATABASE_URL: 'embedded' }
  expect(readEnv(site)).toMatchObject({ databaseUrl: undefined, demo: false, looksReal: true })
  expect(readEnv({ ...site, DEMO: 'public', SANDBOX: 'open' })).toMatchObject({ demo: true, sandbox: 'open' })
  expect(readEnv({ ...site, ...MAIL, ...LIVE_KEYS })).toMatchObject({ demo: false })
  expect(readEnv({ DATABASE_URL: 'embedded' })).toMatchObject({ demo: true, looksReal: false })
})

it('this machine’s own addresses and test keys count as a trial [OPS-7]', () => {
  const trial = {
    SITE_URL: 'https://localhost:3000',
    SMTP_URL: 'smtp://127.0.0.1:2525',
    MAIL_FROM: 'a@x.example',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  }
  expect(readEnv(trial)).toMatchObject({ demo: true, looksReal: false })
})

it('an open sandbox is refused in production', () => {
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_test_a',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_b',
    STRIPE_WEBHOOK_SECRET: 'whsec_c',
  }
  const real = {
    DATABASE_URL: 'postgres://x/y',
    SECRET,
    SMTP_URL: 'smtp://x',
    MAIL_FROM: 'a@x.example',
    ...stripe,
  }
  expect(() => readEnv({ ...real, SANDBOX: 'open' })).toThrow('SANDBOX')
  expect(readEnv(real)).toMatchObject({ demo: false, sandbox: 'loopback' })
})

it('a shop belongs to the region that names it, or to REGION alone [SUB-7]', () => {
  expect(readEnv({ SHOP_NAME: 'Petculture' }).shops).toEqual({ za: 'Petculture' })
  expect(readEnv({ SHOP_NAME: 'Petculture', REGION: 'au' }).shops).toEqual({ au: 'Petculture' })
  expect(readEnv({ SHOP_NAME: 'za=Petculture|au=Petstock' }).shops).toEqual({
    za: 'Petculture',
    au: 'Petstock',
  })
  expect(readEnv({}).shops).toEqual({})
})

it('each host has its region, and unknown hosts have the first [SHL-13]', () => {
  const sitesOf = { SITE_URL: 'https://vetchat.example', SITES: 'au=https://vetchat.example.au' }
  const { sites } = readEnv({ ...sitesOf, DATABASE_URL: 'embedded' })
  expect(siteOf(sites, 'vetchat.example.au').region).toBe('au')
  expect(siteOf(sites, 'VetChat.example.AU:443').region).toBe('au')
  expect(siteOf(sites, 'vetchat.example').region).toBe('za')
  expect(siteOf(sites, 'elsewhere.example').url).toBe('https://vetchat.example')
})

it('a shell can read .env.example with every line switched on [OPS-1]', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'vetchat-env-')), '.env')
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
  const folder = path.dirname(file)
  const set = example.replaceAll(/^# (?=[A-Z_]+=)/gm, '').replace(/^FEED_DIR=.*$/m, `FEED_DIR='${folder}'`)
  writeFileSync(file, set)
  const print = `set -eua; . ${file}; set +a; exec ${process.execPath} -p 'JSON.stringify(process.env)'`
  const shell = execFileSync('sh', ['-c', print], { env: {}, encoding: 'utf8' })
  const source = JSON.parse(shell) as Record<string, string>
  const names = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name!)
  expect(names.filter((name) => !source[name])).toEqual([])
  expect(source['MAIL_FROM']).toBe('VetChat <hello@vetchat.example>')
  expect(readEnv({ ...source, DEMO: 'off' }).legalEntities).toMatchObject({
    za: expect.stringMatching(/^VetChat \(Pty\) Ltd/),
    au: expect.stringMatching(/^VetChat Pty Ltd/),
  })
  rmSync(folder, { recursive: true })
})
