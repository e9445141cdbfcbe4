import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { REGION_IDS, REGIONS, type Region } from '#contract/regions.ts'

/** Only this file reads process.env. A wrong or half-set variable stops the start with one line that names it. */
export class WrongEnv extends Error {}

export interface Site {
  region: Region
  url: string
}

/** Values that say that the embedded database is meant, and that anyone may use the demo accounts. */
const EMBEDDED = 'embedded'
const PUBLIC = 'public'

const SWITCH = ['on', 'off', '1', '0', 'true', 'false'] as const
const isOn = (value: string) => /^(on|1|true|public)$/.test(value)

type Source = Record<string, string | undefined>

function wrong(name: string, why: string): never {
  throw new WrongEnv(`${name} ${why}`)
}

/** Reads one variable at a time, each in the way that suits its kind. */
function valuesOf(source: Source) {
  const text = (name: string) => source[name]?.trim() || undefined
  const checked = (name: string, isRight: (value: string) => boolean, why: string) => {
    const value = text(name)
    if (value !== undefined && !isRight(value)) wrong(name, why)
    return value
  }
  return {
    text,
    checked,
    oneOf<const T extends string>(name: string, known: readonly T[], otherwise: T): T {
      const value = text(name) ?? otherwise
      return known.find((one) => one === value) ?? wrong(name, `must be one of ${known.join(', ')}`)
    },
    url: (name: string, ...protocols: string[]) =>
      checked(
        name,
        (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
        `must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      ),
    email: (name: string) => checked(name, isEmail, 'must be one email address'),
    together(why: string, ...names: string[]) {
      const missing = names.filter((name) => text(name) === undefined)
      if (missing.length > 0 && missing.length < names.length) wrong(missing[0]!, `is missing: ${why}`)
    },
    /** A value for each region: za=one|au=another. */
    byRegion(name: string, what: string, isRight: (value: string, region: Region) => boolean = () => true) {
      const found: Partial<Record<Region, string>> = {}
      const why = `must read region=${what}, with | between regions`
      for (const part of text(name)?.split('|') ?? []) {
        const [, id, value] = /^\s*(\w+)=(.*\S)\s*$/.exec(part) ?? wrong(name, why)
        const region = regionNamed(name, id!)
        if (!isRight(value!, region)) wrong(name, why)
        found[region] = value!
      }
      return found
    },
  }
}
type Values = ReturnType<typeof valuesOf>

const regionNamed = (name: string, id: string) =>
  REGION_IDS.find((known) => known === id) ?? wrong(name, `names an unknown region: ${id}`)

function originOf(name: string, value: string) {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    wrong(name, name === 'HOST' ? 'is no host' : 'must be an address that begins with http:// or https://')
  const { pathname, search, hash, origin } = new URL(value)
  if (pathname !== '/' || search || hash) wrong(name, 'must be an address without a path')
  return origin
}

/** The first site is REGION's. */
function sitesOf({ text, oneOf }: Values, host: string, port: number): [Site, ...Site[]] {
  const region = oneOf('REGION', REGION_IDS, 'za')
  const siteUrl = text('SITE_URL')
  const url = siteUrl
    ? originOf('SITE_URL', siteUrl)
    : originOf('HOST', `http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  const sites: [Site, ...Site[]] = [{ region, url }]
  for (const part of text('SITES')?.split(',') ?? []) {
    const [, id = '', address = ''] =
      /^\s*(\w+)=(\S+)\s*$/.exec(part) ?? wrong('SITES', 'must read region=address, with commas between')
    const other = regionNamed('SITES', id)
    if (sites.some((site) => site.region === other))
      wrong('SITES', `names ${other} twice; REGION is ${region}`)
    sites.push({ region: other, url: originOf('SITES', address) })
  }
  return sites
}

function secretsIn({ checked }: Values, isRequired: boolean) {
  const long = (name: string) =>
    checked(name, ({ length }) => length >= 32, 'must have at least 32 characters')
  const [secret, secretAlso] = [long('SECRET'), long('SECRET_ALSO')]
  if (isRequired && !secret) wrong('SECRET', 'is required with DATABASE_URL')
  if (secretAlso && !secret) wrong('SECRET', 'is missing: SECRET_ALSO is accepted beside it')
  if (secretAlso && secretAlso === secret) wrong('SECRET_ALSO', 'must differ from SECRET')
  /** The second is still accepted, but never used to sign. */
  return { secret, secretAlso }
}

/** Each key with how it begins. */
const STRIPE = {
  STRIPE_SECRET_KEY: ['sk_', 'rk_'],
  STRIPE_PUBLISHABLE_KEY: ['pk_'],
  STRIPE_WEBHOOK_SECRET: ['whsec_'],
}

function stripeIn({ together, checked }: Values) {
  together('the three STRIPE variables go together', ...Object.keys(STRIPE))
  const [secretKey, publishableKey, webhookSecret] = Object.entries(STRIPE).map(([name, begins]) =>
    checked(
      name,
      (key) => begins.some((one) => key.startsWith(one)),
      `isn’t that key of Stripe’s: it begins with ${begins.join(' or ')}`,
    ),
  )
  if (!secretKey || !publishableKey || !webhookSecret) return undefined
  if (isLive(secretKey) !== isLive(publishableKey))
    wrong('STRIPE_PUBLISHABLE_KEY', 'and STRIPE_SECRET_KEY must both be live keys or both test keys')
  return { secretKey, publishableKey, webhookSecret }
}

const isLive = (key: string | undefined) => /_live_/.test(key ?? '')

/** How two browsers reach each other for video. */
function videoIn({ text, together, checked, oneOf }: Values) {
  together('TURN_URL and TURN_SECRET go together', 'TURN_URL', 'TURN_SECRET')
  const urls = (text('TURN_URL')?.split(/[\s,]+/) ?? []).filter(Boolean)
  if (!urls.every((one) => /^turns?:[^/?\s]+(\?transport=(udp|tcp))?$/.test(one)))
    wrong('TURN_URL', 'must read turn:host:port or turns:host:port, with commas between several')
  const isStun = (value: string) => /^stuns?:[^/?\s]+$/.test(value)
  const stunUrl = checked('STUN_URL', isStun, 'must read stun:host:port')
  const turnOnly = isOn(oneOf('TURN_ONLY', SWITCH, 'off'))
  if (turnOnly && urls.length === 0) wrong('TURN_ONLY', 'needs TURN_URL and TURN_SECRET')
  return { stunUrl, turn: urls.length > 0 ? { urls, secret: text('TURN_SECRET')! } : undefined, turnOnly }
}

function mailIn({ url, checked, together }: Values, siteUrl: string) {
  const smtpUrl = url('SMTP_URL', 'smtp:', 'smtps:')
  together('SMTP_URL and MAIL_FROM go together', 'SMTP_URL', 'MAIL_FROM')
  const isSender = (value: string) => /^[^<>\r\n]*<?[^@<>\s]+@[^@<>\s]+>?$/.test(value)
  const sender = checked('MAIL_FROM', isSender, 'must read address@host or Name <address@host>')
  return { smtpUrl, mailFrom: sender ?? `VetChat <hello@${new URL(siteUrl).hostname}>` }
}

/** Whether there are demo accounts. Beside real customers, money or mails, they need an explicit word. */
function demoIn({ text, oneOf }: Values, databaseUrl: string | undefined, real: string | false | undefined) {
  if (real && !text('DATABASE_URL'))
    wrong(
      'DATABASE_URL',
      `is missing: with ${real} this looks like production. Set it, or say DATABASE_URL=${EMBEDDED}`,
    )
  const said = oneOf('DEMO', [...SWITCH, PUBLIC], databaseUrl || real ? 'off' : 'on')
  const demo = isOn(said)
  if (real && demo && said !== PUBLIC)
    wrong(
      'DEMO',
      `can’t be on: with ${real} strangers could sign in with known passwords. Leave it out, or say DEMO=${PUBLIC}`,
    )
  return demo
}

/** Who sells in each region, with the number that makes receipts tax invoices. */
function sellersIn({ byRegion }: Values) {
  const legalEntities = byRegion('LEGAL_ENTITY', 'name, address')
  const taxNumbers = byRegion(
    'TAX_NUMBER',
    'number, of 10 digits in za and 11 in au',
    (value, of) => /^[\d ]+$/.test(value) && value.replaceAll(' ', '').length === REGIONS[of].tax.digits,
  )
  for (const of of REGION_IDS)
    if (taxNumbers[of] && !legalEntities[of]?.includes(','))
      wrong('LEGAL_ENTITY', `must name the seller in ${of} and its address, because TAX_NUMBER is set`)
  return { legalEntities, taxNumbers }
}

/** The shop whose gift card new members get. A name without a region counts for the main site's. */
function shopsIn({ text, byRegion }: Values, main: Region): Partial<Record<Region, string>> {
  const name = text('SHOP_NAME')
  return name === undefined || name.includes('=') ? byRegion('SHOP_NAME', 'name') : { [main]: name }
}

function networksIn({ text }: Values) {
  const networks = (text('TRUST_PROXY') ?? 'loopback').split(',').map((part) => part.trim())
  for (const one of networks)
    if (!['loopback', 'linklocal', 'uniquelocal'].includes(one) && !isNetwork(one))
      wrong('TRUST_PROXY', `must be a list of networks; ${one} is none`)
  return networks
}

export type Env = ReturnType<typeof readEnv>

export function readEnv(source: Source = process.env) {
  const values = valuesOf(source)
  const { text, checked, oneOf, url, email, byRegion } = values
  const host = text('HOST') ?? '127.0.0.1'
  const port = Number(text('PORT') ?? 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) wrong('PORT', 'must be a number from 0 to 65535')
  const sites = sitesOf(values, host, port)
  const [{ region, url: siteUrl }] = sites
  const databaseUrl =
    text('DATABASE_URL') === EMBEDDED ? undefined : url('DATABASE_URL', 'postgres:', 'postgresql:')
  const secrets = secretsIn(values, databaseUrl !== undefined)
  const stripe = stripeIn(values)
  const video = videoIn(values)
  const mail = mailIn(values, siteUrl)
  const hasAccount = (address: string) => new URL(address).username !== ''
  const smsUrl =
    url('SMS_URL', 'https:', 'http:') &&
    checked('SMS_URL', hasAccount, 'must hold the account: https://ID:SECRET@host/path')
  /** The first setting that makes this look like production. */
  const real =
    (isPublic(siteUrl) && siteUrl.startsWith('https:') && 'an https address') ||
    (isLive(stripe?.secretKey) && 'a live payment key') ||
    (mail.smtpUrl && isPublic(mail.smtpUrl) && 'a mail server') ||
    (smsUrl && isPublic(smsUrl) && 'an SMS provider')
  const demo = demoIn(values, databaseUrl, real)
  if (demo && isLive(stripe?.secretKey)) wrong('DEMO', 'can’t be on with a live payment key')
  const jobs = oneOf('JOBS', ['on', 'off'], 'on')
  const sandbox = oneOf('SANDBOX', ['loopback', 'open', 'off'], 'loopback')
  if (databaseUrl && !demo) {
    for (const name of jobs === 'on' ? ['SMTP_URL', ...Object.keys(STRIPE)] : [])
      if (text(name) === undefined) wrong(name, 'is required with DATABASE_URL when DEMO is off')
    if (sandbox === 'open') wrong('SANDBOX', 'can’t be open with DATABASE_URL when DEMO is off')
  }
  const isFolder = (value: string) => statSync(value, { throwIfNoEntry: false })?.isDirectory() === true
  const feedDir = checked('FEED_DIR', isFolder, 'must be a folder that is there')
  const isWhole = (value: string) => /^\d{1,9}$/.test(value)
  const minFreeMb = checked('MIN_FREE_MB', isWhole, 'must be a whole number of megabytes')
  const expoUrl = url('EXPO_FORM_URL', 'https:', 'http:')
  const isPhone = (value: string) => /^\+\d[\d ]{6,18}$/.test(value)

  return {
    port,
    host,
    dataDir: path.resolve(text('DATA_DIR') ?? '.data'),
    databaseUrl,
    redisUrl: url('REDIS_URL', 'redis:', 'rediss:'),
    sites: sites as Site[],
    ...secrets,
    ...mail,
    smsUrl,
    stripe,
    ...video,
    insurerEmail: email('INSURER_EMAIL'),
    ledgerEmail: email('LEDGER_EMAIL'),
    ...sellersIn(values),
    support: {
      phone: byRegion('SUPPORT_PHONE', '+number', isPhone),
      whatsapp: byRegion('SUPPORT_WHATSAPP', '+number', isPhone),
      email: byRegion('SUPPORT_EMAIL', 'address@host', isEmail),
    },
    wording: byRegion('POLICY_WORDING', 'https address', (value) => /^https:\/\/\S+$/.test(value)),
    feedDir: feedDir && path.resolve(feedDir),
    shops: shopsIn(values, region),
    analyticsUrl: jobs === 'on' ? url('ANALYTICS_URL', 'https:', 'http:') : undefined,
    announcement: text('ANNOUNCEMENT'),
    contactEmail: email('CONTACT_EMAIL'),
    expo: expoUrl
      ? { url: expoUrl, tags: text('EXPO_FORM_TAGS') ?? '', trap: text('EXPO_FORM_TRAP') ?? '' }
      : null,
    filesUrl: url('FILES_URL', 's3:') && checked('FILES_URL', isBucket, `must read ${BUCKET}`),
    minFreeBytes: minFreeMb === undefined ? undefined : Number(minFreeMb) * 1024 ** 2,
    trustProxy: networksIn(values),
    metricsToken: text('METRICS_TOKEN'),
    sandbox,
    /** Staff must have a second factor. */
    requireFactor: oneOf('REQUIRE_2FA', ['on', 'off'], 'off') === 'on',
    demo,
    /** A restored copy: no jobs run, nothing is sent and nobody is charged. */
    isIdle: jobs === 'off',
    looksReal: Boolean(real),
    logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    mode: source['NODE_ENV'] === 'production' ? ('production' as const) : ('development' as const),
  }
}

export const BUCKET = 's3://KEY:SECRET@HOST/BUCKET, with special characters percent-encoded'
export const isBucket = (address: string) => /^s3:\/\/[^:@/]+:[^@/]+@[^/]+\/[^/?]+/.test(address)

const isEmail = (value: string) => /^[^@<>,;\s]+@[^@<>,;\s]+$/.test(value)

const isPublic = (address: string) => !/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(new URL(address).hostname)

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const longest = isIP(address) === 4 ? 32 : 128
  return (
    isIP(address) !== 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= longest))
  )
}

const hosts = new WeakMap<Site, string>()

/** Cached, because every call asks for it. */
function hostOf(site: Site): string {
  const known = hosts.get(site) ?? new URL(site.url).host
  hosts.set(site, known)
  return known
}

/** The site of a host. The first site is REGION's and gets every host that no other site has. */
export function siteOf(sites: Site[], host: string | undefined): Site {
  const named = host?.toLowerCase().replace(/:(80|443)$/, '')
  return sites.find((site) => hostOf(site) === named) ?? sites[0]!
}

/** Whether browsers should never ask for this site, or send its cookies, without TLS. */
export const isSecure = ({ url }: Pick<Site, 'url'>) => url.startsWith('https:')

/** The site that a person's mails link to: the one of the region they signed up in. */
export const siteOfRegion = ({ env }: { env: Pick<Env, 'sites'> }, region: Region): Site =>
  env.sites.find((site) => site.region === region) ?? env.sites[0]!
