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

type Source = Record<string, string | undefined>
type Sandbox = 'loopback' | 'open' | 'off'

export type Env = ReturnType<typeof readEnv>

export function readEnv(source: Source = process.env) {
  const text = (name: string) => source[name]?.trim() || undefined
  const wrong = (name: string, why: string): never => {
    throw new WrongEnv(`${name} ${why}`)
  }
  const oneOf = <const T extends string>(name: string, values: readonly T[], otherwise: T): T => {
    const value = text(name)
    if (value === undefined) return otherwise
    return values.find((known) => known === value) ?? wrong(name, `must be one of ${values.join(', ')}`)
  }
  const url = (name: string, ...protocols: string[]) => {
    const value = text(name)
    if (value === undefined) return undefined
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      wrong(name, `must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    return value
  }
  const together = (why: string, ...names: string[]) => {
    const missing = names.filter((name) => text(name) === undefined)
    if (missing.length > 0 && missing.length < names.length) wrong(missing[0]!, `is missing: ${why}`)
  }
  const port = Number(text('PORT') ?? 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) wrong('PORT', 'must be a number from 0 to 65535')
  const host = text('HOST') ?? '127.0.0.1'
  const region = oneOf('REGION', REGION_IDS, 'za')
  const siteUrl = text('SITE_URL')
    ? originOf('SITE_URL', text('SITE_URL')!)
    : originOf('HOST', `http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  const sites: Site[] = [{ region, url: siteUrl }]
  for (const part of text('SITES')?.split(',') ?? []) {
    const [, name, address] =
      /^\s*(\w+)=(\S+)\s*$/.exec(part) ?? wrong('SITES', 'must read region=address, with commas between')
    const other = REGION_IDS.find((id) => id === name) ?? wrong('SITES', `names an unknown region: ${name}`)
    if (sites.some((site) => site.region === other))
      wrong('SITES', `names ${other} twice; REGION is ${region}`)
    sites.push({ region: other, url: originOf('SITES', address!) })
  }
  function originOf(name: string, value: string) {
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
      wrong(name, name === 'HOST' ? 'is no host' : 'must be an address that begins with http:// or https://')
    const parsed = new URL(value)
    if (parsed.pathname !== '/' || parsed.search || parsed.hash)
      wrong(name, 'must be an address without a path')
    return parsed.origin
  }

  const isEmbedded = text('DATABASE_URL') === EMBEDDED
  const databaseUrl = isEmbedded ? undefined : url('DATABASE_URL', 'postgres:', 'postgresql:')
  const longText = (name: string) => {
    const value = text(name)
    if (value !== undefined && value.length < 32) wrong(name, 'must have at least 32 characters')
    return value
  }
  const secret = longText('SECRET')
  if (databaseUrl && !secret) wrong('SECRET', 'is required with DATABASE_URL')
  const secretAlso = longText('SECRET_ALSO')
  if (secretAlso && !secret) wrong('SECRET', 'is missing: SECRET_ALSO is accepted beside it')
  if (secretAlso && secretAlso === secret) wrong('SECRET_ALSO', 'must differ from SECRET')
  const minFreeMb = text('MIN_FREE_MB')
  if (minFreeMb !== undefined && !/^\d{1,9}$/.test(minFreeMb))
    wrong('MIN_FREE_MB', 'must be a whole number of megabytes')
  const sandbox = oneOf<Sandbox>('SANDBOX', ['loopback', 'open', 'off'], 'loopback')

  const stripeNames = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const
  together('the three STRIPE variables go together', ...stripeNames)
  const stripeBegins = [/^[sr]k_/, /^pk_/, /^whsec_/]
  for (const [at, name] of stripeNames.entries())
    if (text(name) !== undefined && !stripeBegins[at]!.test(text(name)!))
      wrong(name, `isn’t that key of Stripe’s: it begins with ${['sk_ or rk_', 'pk_', 'whsec_'][at]}`)
  const isLive = (name: string) => /_live_/.test(text(name) ?? '')
  if (isLive('STRIPE_SECRET_KEY') !== isLive('STRIPE_PUBLISHABLE_KEY'))
    wrong('STRIPE_PUBLISHABLE_KEY', 'and STRIPE_SECRET_KEY must both be live keys or both test keys')
  const smtpUrl = url('SMTP_URL', 'smtp:', 'smtps:')
  together('SMTP_URL and MAIL_FROM go together', 'SMTP_URL', 'MAIL_FROM')
  const filesUrl = url('FILES_URL', 's3:')
  if (filesUrl && !isBucket(filesUrl)) wrong('FILES_URL', `must read ${BUCKET}`)
  const smsUrl = url('SMS_URL', 'https:', 'http:')
  if (smsUrl && !new URL(smsUrl).username)
    wrong('SMS_URL', 'must hold the account: https://ID:SECRET@host/path')
  together('TURN_URL and TURN_SECRET go together', 'TURN_URL', 'TURN_SECRET')
  const turnUrls = (text('TURN_URL')?.split(/[\s,]+/) ?? []).filter(Boolean)
  for (const one of turnUrls)
    if (!/^turns?:[^/?\s]+(\?transport=(udp|tcp))?$/.test(one))
      wrong('TURN_URL', 'must read turn:host:port or turns:host:port, with commas between several')
  const stunUrl = text('STUN_URL')
  if (stunUrl !== undefined && !/^stuns?:[^/?\s]+$/.test(stunUrl))
    wrong('STUN_URL', 'must read stun:host:port')
  const turnOnly = /^(on|1|true)$/.test(oneOf('TURN_ONLY', ['on', 'off', '1', '0', 'true', 'false'], 'off'))
  if (turnOnly && turnUrls.length === 0) wrong('TURN_ONLY', 'needs TURN_URL and TURN_SECRET')
  const mailFrom = text('MAIL_FROM') ?? `VetChat <hello@${new URL(siteUrl).hostname}>`
  if (!/^[^<>\r\n]*<?[^@<>\s]+@[^@<>\s]+>?$/.test(mailFrom))
    wrong('MAIL_FROM', 'must read address@host or Name <address@host>')
  /** The first setting that makes this look like production. */
  const real: string | false | undefined =
    (isPublic(siteUrl) && siteUrl.startsWith('https:') && 'an https address') ||
    (isLive('STRIPE_SECRET_KEY') && 'a live payment key') ||
    (smtpUrl && isPublic(smtpUrl) && 'a mail server') ||
    (smsUrl && isPublic(smsUrl) && 'an SMS provider')
  if (real && !text('DATABASE_URL'))
    wrong(
      'DATABASE_URL',
      `is missing: with ${real} this looks like production. Set it, or say DATABASE_URL=${EMBEDDED}`,
    )
  const demoSaid = oneOf(
    'DEMO',
    ['on', 'off', '1', '0', 'true', 'false', PUBLIC],
    databaseUrl || real ? 'off' : 'on',
  )
  const demo = /^(on|1|true|public)$/.test(demoSaid)
  if (real && demo && demoSaid !== PUBLIC)
    wrong(
      'DEMO',
      `can’t be on: with ${real} strangers could sign in with known passwords. Leave it out, or say DEMO=${PUBLIC}`,
    )
  if (demo && isLive('STRIPE_SECRET_KEY')) wrong('DEMO', 'can’t be on with a live payment key')
  const jobs = oneOf('JOBS', ['on', 'off'], 'on')
  if (databaseUrl && !demo) {
    for (const name of jobs === 'on' ? ['SMTP_URL', ...stripeNames] : [])
      if (text(name) === undefined) wrong(name, 'is required with DATABASE_URL when DEMO is off')
    if (sandbox === 'open') wrong('SANDBOX', 'can’t be open with DATABASE_URL when DEMO is off')
  }
  const oneEmail = (name: string) => {
    const value = text(name)
    if (value !== undefined && !isEmail(value)) wrong(name, 'must be one email address')
    return value
  }
  const insurerEmail = oneEmail('INSURER_EMAIL')
  /** A value for each region: za=one|au=another. */
  function byRegion(
    name: string,
    what: string,
    isRight: (value: string, region: Region) => boolean = () => true,
  ) {
    const found: Partial<Record<Region, string>> = {}
    for (const part of text(name)?.split('|') ?? []) {
      const [, region, value] =
        /^\s*(\w+)=(.*\S)\s*$/.exec(part) ?? wrong(name, `must read region=${what}, with | between regions`)
      const known =
        REGION_IDS.find((id) => id === region) ?? wrong(name, `names an unknown region: ${region}`)
      if (!isRight(value!, known)) wrong(name, `must read region=${what}, with | between regions`)
      found[known] = value!
    }
    return found
  }
  const legalEntities = byRegion('LEGAL_ENTITY', 'name, address')
  const taxNumbers = byRegion(
    'TAX_NUMBER',
    'number, of 10 digits in za and 11 in au',
    (value, of) => /^[\d ]+$/.test(value) && value.replaceAll(' ', '').length === REGIONS[of].tax.digits,
  )
  for (const of of REGION_IDS)
    if (taxNumbers[of] && !legalEntities[of]?.includes(','))
      wrong('LEGAL_ENTITY', `must name the seller in ${of} and its address, because TAX_NUMBER is set`)
  /** Without a region, it counts for REGION alone. */
  const shopName = text('SHOP_NAME')
  const shops =
    shopName === undefined || shopName.includes('=') ? byRegion('SHOP_NAME', 'name') : { [region]: shopName }
  const isPhone = (value: string) => /^\+\d[\d ]{6,18}$/.test(value)
  const support = {
    phone: byRegion('SUPPORT_PHONE', '+number', isPhone),
    whatsapp: byRegion('SUPPORT_WHATSAPP', '+number', isPhone),
    email: byRegion('SUPPORT_EMAIL', 'address@host', isEmail),
  }
  const wording = byRegion('POLICY_WORDING', 'https address', (value) => /^https:\/\/\S+$/.test(value))
  const feedDir = text('FEED_DIR')
  if (feedDir !== undefined && !statSync(feedDir, { throwIfNoEntry: false })?.isDirectory())
    wrong('FEED_DIR', 'must be a folder that is there')
  const expoUrl = url('EXPO_FORM_URL', 'https:', 'http:')
  const trustProxy = (text('TRUST_PROXY') ?? 'loopback').split(',').map((part) => part.trim())
  for (const part of trustProxy)
    if (!['loopback', 'linklocal', 'uniquelocal'].includes(part) && !isNetwork(part))
      wrong('TRUST_PROXY', `must be a list of networks; ${part} is none`)

  return {
    port,
    host,
    dataDir: path.resolve(text('DATA_DIR') ?? '.data'),
    databaseUrl,
    redisUrl: url('REDIS_URL', 'redis:', 'rediss:'),
    sites,
    secret,
    /** Still accepted, but never used to sign. */
    secretAlso,
    smtpUrl,
    smsUrl,
    stripe:
      text('STRIPE_SECRET_KEY') === undefined
        ? undefined
        : {
            secretKey: text('STRIPE_SECRET_KEY')!,
            publishableKey: text('STRIPE_PUBLISHABLE_KEY')!,
            webhookSecret: text('STRIPE_WEBHOOK_SECRET')!,
          },
    stunUrl,
    turn: turnUrls.length > 0 ? { urls: turnUrls, secret: text('TURN_SECRET')! } : undefined,
    turnOnly,
    insurerEmail,
    ledgerEmail: oneEmail('LEDGER_EMAIL'),
    legalEntities,
    taxNumbers,
    support,
    wording,
    feedDir: feedDir && path.resolve(feedDir),
    shops,
    analyticsUrl: jobs === 'on' ? url('ANALYTICS_URL', 'https:', 'http:') : undefined,
    announcement: text('ANNOUNCEMENT'),
    contactEmail: oneEmail('CONTACT_EMAIL'),
    expo: expoUrl
      ? { url: expoUrl, tags: text('EXPO_FORM_TAGS') ?? '', trap: text('EXPO_FORM_TRAP') ?? '' }
      : null,
    mailFrom,
    filesUrl,
    minFreeBytes: minFreeMb === undefined ? undefined : Number(minFreeMb) * 1024 ** 2,
    trustProxy,
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

/** The site that a person's mails link to: the one of the region they signed up in. */
export const siteOfRegion = ({ env }: { env: Pick<Env, 'sites'> }, region: Region): Site =>
  env.sites.find((site) => site.region === region) ?? env.sites[0]!
