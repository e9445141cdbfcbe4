import { DAY, MINUTE } from './time.ts'

/** How amounts of each currency are written, and what people put before them. */
export const CURRENCIES = {
  zar: { name: 'rand', symbol: 'R', groups: '\u00a0', typed: ['ZAR', 'R'] },
  aud: { name: 'dollars', symbol: '$', groups: ',', typed: ['AUD', 'A$', '$'] },
} as const
export type Currency = keyof typeof CURRENCIES
export const CURRENCY_IDS = Object.keys(CURRENCIES) as Currency[]

/** Everything that differs between regions, except for words that only pages say. Pages show these prices and the server charges them. Money is in minor units. */
interface RegionFacts {
  name: string
  /** Its code, as telephone numbers and wallets use it. */
  country: string
  appModule: string
  lang: string
  currency: Currency
  /** Null if it is open around the clock. */
  hours: { from: string; to: string; says: string } | null
  online: string
  timeZone: string
  /** Where that zone's clocks are, as people say it. */
  timesIn: string
  /** The region's other time zones, by town. */
  otherZones: Record<string, string>
  phoneExample: string
  /** The body that registers vets, as sentences name it. */
  regulator: string
  prices: { consult: number; annual: number; monthly: number; giftCard: number; thankYouOffer: number }
  pawcare: { yearly: number; excess: number; example: number; incidents: number; waitHours: number }
  /** The smallest amount that the payment provider charges. */
  smallestCharge: number
  /** Included in every price. Tax invoices need the seller's number, with this many digits. */
  tax: { name: string; percent: number; number: string; digits: number; refund: string }
}

export const REGIONS = {
  za: {
    name: 'South Africa',
    country: 'ZA',
    appModule: 'vetchat-za',
    lang: 'en-ZA',
    currency: 'zar',
    hours: null,
    online: 'Vets, online 24/7',
    timeZone: 'Africa/Johannesburg',
    timesIn: 'South Africa',
    otherZones: {},
    phoneExample: '082 123 4567',
    regulator: 'the South African Veterinary Council',
    prices: { consult: 450_00, annual: 2000_00, monthly: 200_00, giftCard: 200_00, thankYouOffer: 400_00 },
    pawcare: { yearly: 100_000_00, excess: 5000_00, example: 35_000_00, incidents: 3, waitHours: 48 },
    smallestCharge: 10_00,
    tax: { name: 'VAT', percent: 15, number: 'VAT number', digits: 10, refund: 'Credit note' },
  },
  au: {
    name: 'Australia',
    country: 'AU',
    appModule: 'vetchat-au',
    lang: 'en-AU',
    currency: 'aud',
    hours: { from: '06:00', to: '24:00', says: '6:00am to 12:00am SYD Time' },
    online: 'Vets, online 6am to midnight',
    timeZone: 'Australia/Sydney',
    timesIn: 'Sydney',
    otherZones: {
      Adelaide: 'Australia/Adelaide',
      Brisbane: 'Australia/Brisbane',
      Darwin: 'Australia/Darwin',
      Perth: 'Australia/Perth',
    },
    phoneExample: '0412 345 678',
    regulator: 'an Australian veterinary board',
    prices: { consult: 39_95, annual: 200_00, monthly: 20_00, giftCard: 20_00, thankYouOffer: 40_00 },
    pawcare: { yearly: 10_000_00, excess: 500_00, example: 3500_00, incidents: 3, waitHours: 48 },
    smallestCharge: 50,
    tax: { name: 'GST', percent: 10, number: 'ABN', digits: 11, refund: 'Adjustment note' },
  },
} as const satisfies Record<string, RegionFacts>

export type Region = keyof typeof REGIONS
export const REGION_IDS = Object.keys(REGIONS) as Region[]

/** The time zone of a town in `otherZones`, or the region's main one if it names none. Undefined if the region has no such town. */
export function timeZoneOf(region: Region, zone: string): string | undefined {
  const { timeZone, otherZones } = REGIONS[region]
  return zone === '' ? timeZone : new Map(Object.entries(otherZones)).get(zone)
}

/** R450, R2 000, $39.95: no space after the symbol, no-break spaces between groups of rand, no cents if there are none. */
export function money(minor: number, currency: Currency): string {
  const { symbol, groups } = CURRENCIES[currency]
  const parts = new Intl.NumberFormat('en', {
    minimumFractionDigits: minor % 100 === 0 ? 0 : 2,
    maximumFractionDigits: 2,
  }).formatToParts(Math.abs(minor) / 100)
  const digits = parts.map((part) => (part.type === 'group' ? groups : part.value)).join('')
  return `${minor < 0 ? '\u2212' : ''}${symbol}${digits}`
}

const PREFIXES: string[] = Object.values(CURRENCIES).flatMap(({ typed }) => typed)

/** The minor units of an amount as people type it: 1234,50 or R1 234.50 or 1,234. Undefined if it isn't one. */
export function minorOf(typed: string): number | undefined {
  const plain = typed.replace(/\s/g, '').toUpperCase()
  const prefix = PREFIXES.find((one) => plain.startsWith(one)) ?? ''
  const [, whole, cents = ''] =
    /^([1-9]\d{0,2}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(plain.slice(prefix.length)) ?? []
  return whole === undefined
    ? undefined
    : Number(whole.replace(/[.,]/g, '')) * 100 + Number(cents.padEnd(2, '0'))
}

/** Whether a region's hours include this time. */
export function isOpen(region: Region, at: Date): boolean {
  const { hours } = REGIONS[region]
  if (!hours) return true
  const { time } = localTimeOf(region, at)
  return time >= hours.from && time < hours.to
}

/** How many milliseconds clocks are ahead of UTC at this time. */
function aheadOfUtc(timeZone: string, at: number): number {
  const zone = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE
}

/** The instant at which clocks show this day and time. */
export function instantIn(timeZone: string, day: string, time: string): Date {
  const wall = Date.parse(`${day}T${time}:00Z`)
  return new Date(wall - aheadOfUtc(timeZone, wall - aheadOfUtc(timeZone, wall)))
}
export const instantOf = (region: Region, day: string, time: string) =>
  instantIn(REGIONS[region].timeZone, day, time)

/** When a region that is closed at this time opens. Null while it is open. */
export function opensAt(region: Region, at: Date): Date | null {
  const { hours } = REGIONS[region]
  if (!hours || isOpen(region, at)) return null
  const { day, time } = localTimeOf(region, at)
  return instantOf(region, time < hours.from ? day : daysAfter(day, 1), hours.from)
}

/** The day and time that clocks show at this instant. */
export function localTimeIn(timeZone: string, at: Date): { day: string; time: string } {
  const [day = '', time = ''] = new Date(at.getTime() + aheadOfUtc(timeZone, at.getTime()))
    .toISOString()
    .split('T')
  return { day, time: time.slice(0, 5) }
}
export const localTimeOf = (region: Region, at: Date) => localTimeIn(REGIONS[region].timeZone, at)

/** Today's date in a region. */
export const localDay = (region: Region, at: Date) => localTimeOf(region, at).day

export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
