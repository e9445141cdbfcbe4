import { sentenceOf } from '#contract/errors.ts'
import { today } from '../lib/dates.ts'
import { say } from '../ui/say.ts'

interface Brand {
  name: string
  starts: RegExp
  lengths: number[]
  /** Where the gaps go. */
  groups: number[]
  code: number
}

const FOURS = [4, 4, 4, 4]
const BRANDS = {
  visa: { name: 'Visa', starts: /^4/, lengths: [16], groups: FOURS, code: 3 },
  mastercard: {
    name: 'Mastercard',
    starts: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    groups: FOURS,
    code: 3,
  },
  amex: { name: 'American Express', starts: /^3[47]/, lengths: [15], groups: [4, 6, 5], code: 4 },
  diners: { name: 'Diners Club', starts: /^3(0[0-5]|6|8)/, lengths: [14, 16], groups: FOURS, code: 3 },
  discover: { name: 'Discover', starts: /^(6011|64[4-9]|65)/, lengths: [16], groups: FOURS, code: 3 },
  jcb: { name: 'JCB', starts: /^35/, lengths: [16], groups: FOURS, code: 3 },
  unionpay: { name: 'UnionPay', starts: /^62/, lengths: [16, 17, 18, 19], groups: [...FOURS, 3], code: 3 },
} satisfies Record<string, Brand>

/** Spelt as the payment provider does. */
export type BrandId = keyof typeof BRANDS

const OTHER: Brand = {
  name: 'Card',
  starts: /^/,
  lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  groups: [4, 4, 4, 4, 3],
  code: 3,
}

const isBrand = (id: string): id is BrandId => id in BRANDS
const rulesOf = (brand: BrandId | undefined): Brand => (brand ? BRANDS[brand] : OTHER)

/** "Visa"; "Card" for an unknown brand. */
export const brandName = (id: string) => (isBrand(id) ? BRANDS[id].name : say('Card'))

export const digitsOf = (text: string) => text.replace(/\D/g, '')

export const brandOf = (number: string): BrandId | undefined =>
  (Object.keys(BRANDS) as BrandId[]).find((id) => BRANDS[id].starts.test(digitsOf(number)))

export const codeLength = (number: string) => rulesOf(brandOf(number)).code

/** "4242 4242 4242 4242", "3782 822463 10005". */
export function groupedNumber(typed: string): string {
  const { groups, lengths } = rulesOf(brandOf(typed))
  const digits = digitsOf(typed).slice(0, Math.max(...lengths))
  let from = 0
  return groups
    .map((size) => digits.slice(from, (from += size)))
    .filter(Boolean)
    .join(' ')
}

/** "09 / 28" from what is typed, pasted or filled in: 9/28, 0928, 09/2028, 2028-09. */
export function spacedExpiry(typed: string): string {
  const yearFirst = /^\s*20(\d\d)\D+(\d{1,2})\s*$/.exec(typed)
  if (yearFirst) return `${yearFirst[2]!.padStart(2, '0')} / ${yearFirst[1]}`
  const oneDigit = /^\s*(\d\s*\/|[2-9])/.test(typed)
  const digits = (oneDigit ? '0' : '') + digitsOf(typed)
  const [month, year] = [digits.slice(0, 2), digits.slice(2)]
  if (!year) return month.length === 2 ? `${month} / ` : month
  // A year that begins with 20 may become four digits.
  const long = year.startsWith('20') ? year.slice(0, 4) : year.slice(0, 2)
  return `${month} / ${long.length === 4 ? long.slice(2) : long}`
}

export interface CardTyped {
  number: string
  expiry: string
  code: string
}
export type CardWrong = { [Part in keyof CardTyped]?: string }

/** The check digit, which catches typing mistakes. */
const addsUp = (digits: string) =>
  [...digits].toReversed().reduce((sum, digit, at) => {
    const worth = Number(digit) * (at % 2 ? 2 : 1)
    return sum + (worth > 9 ? worth - 9 : worth)
  }, 0) %
    10 ===
  0

function wrongNumber(number: string): string | undefined {
  const digits = digitsOf(number)
  const { lengths } = rulesOf(brandOf(digits))
  if (!digits) return sentenceOf('CARD_MISSING')
  if (!lengths.includes(digits.length)) return say('This card number isn’t complete.')
  return addsUp(digits) ? undefined : say('This card number isn’t right. Please check it against your card.')
}

export function expiryOf(expiry: string): { month: number; year: number } | undefined {
  const [, month, year] = /^(\d\d) \/ (\d\d)$/.exec(spacedExpiry(expiry)) ?? []
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : undefined
}

const LONGEST_YEARS = 50

function wrongExpiry(expiry: string, now: Date): string | undefined {
  if (!digitsOf(expiry)) return say('Enter the expiry date.')
  const date = expiryOf(expiry)
  if (!date || date.month < 1 || date.month > 12) return say('Enter it as month and year, such as 09 / 31.')
  // A card is valid until the end of its month.
  if (new Date(date.year, date.month) <= now) return say('This card has expired.')
  return date.year > now.getFullYear() + LONGEST_YEARS ? say('Please check the year.') : undefined
}

function wrongCode(code: string, number: string): string | undefined {
  if (!code) return say('Enter the security code.')
  if (code.length === codeLength(number)) return undefined
  return codeLength(number) === 4
    ? say('The security code is the 4 digits on the front.')
    : say('The security code is the 3 digits on the back.')
}

/** How many digits the security code has, and where it is. */
export const codePlace = (number: string) =>
  codeLength(number) === 4 ? say('4 digits, on the front') : say('3 digits, on the back')

export function wrongCard({ number, expiry, code }: CardTyped, now = today()): CardWrong {
  const all = {
    number: wrongNumber(number),
    expiry: wrongExpiry(expiry, now),
    code: wrongCode(code, number),
  }
  return Object.fromEntries(Object.entries(all).filter(([, message]) => message))
}

/** A card is valid until the end of its month. The owner is warned two months before. */
export function ageOfCard(
  { exp_month, exp_year }: { exp_month: number; exp_year: number },
  now = today(),
): 'good' | 'soon' | 'expired' {
  if (new Date(exp_year, exp_month) <= now) return 'expired'
  return new Date(exp_year, exp_month - 2) <= now ? 'soon' : 'good'
}
