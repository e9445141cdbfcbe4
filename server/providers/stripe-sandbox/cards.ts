import { createHmac } from 'node:crypto'
import { Refusal } from './refusal.ts'

/** How a bank answers for a card: the code of a decline, or none. */
export interface Behaviour {
  keep?: Decline
  /** Can be put on file, and refuses charges. */
  charge?: Decline
  /** When it challenges the customer: until it is set up, whenever the customer is present, or at every payment. */
  challenge?: 'setup' | 'present' | 'always'
}

const DECLINES = {
  generic_decline: ['card_declined', 'Your card was declined.'],
  insufficient_funds: ['card_declined', 'Your card has insufficient funds.'],
  lost_card: ['card_declined', 'Your card was declined.'],
  stolen_card: ['card_declined', 'Your card was declined.'],
  test_mode_live_card: [
    'card_declined',
    'Your card was declined. Your request was in test mode, but used a non test card.',
  ],
  expired_card: ['expired_card', 'Your card has expired.'],
  incorrect_cvc: ['incorrect_cvc', "Your card's security code is incorrect."],
  processing_error: [
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ],
  authentication_required: [
    'authentication_required',
    'Your card was declined. This transaction requires authentication.',
  ],
} as const
export type Decline = keyof typeof DECLINES

/** Stripe's published test numbers. Any other number is a real card and is refused. */
const NUMBERS: Record<string, Behaviour & { brand: string }> = {
  '4242424242424242': { brand: 'visa' },
  '4000056655665556': { brand: 'visa' },
  '4000000360000006': { brand: 'visa' },
  '5555555555554444': { brand: 'mastercard' },
  '2223003122003222': { brand: 'mastercard' },
  '5200828282828210': { brand: 'mastercard' },
  '378282246310005': { brand: 'amex' },
  '371449635398431': { brand: 'amex' },
  '6011111111111117': { brand: 'discover' },
  '3056930009020004': { brand: 'diners' },
  '3566002020360505': { brand: 'jcb' },
  '6200000000000005': { brand: 'unionpay' },
  '4000000000000002': { brand: 'visa', keep: 'generic_decline' },
  '4000000000009995': { brand: 'visa', keep: 'insufficient_funds' },
  '4000000000009987': { brand: 'visa', keep: 'lost_card' },
  '4000000000009979': { brand: 'visa', keep: 'stolen_card' },
  '4000000000000069': { brand: 'visa', keep: 'expired_card' },
  '4000000000000127': { brand: 'visa', keep: 'incorrect_cvc' },
  '4000000000000119': { brand: 'visa', keep: 'processing_error' },
  '4000000000000341': { brand: 'visa', charge: 'generic_decline' },
  '4000002500003155': { brand: 'visa', challenge: 'setup' },
  '4000000000003220': { brand: 'visa', challenge: 'present' },
  '4000002760003184': { brand: 'visa', challenge: 'always' },
  '4000008260003178': { brand: 'visa', challenge: 'always', charge: 'insufficient_funds' },
}

/** Stripe's published tokens by their card number; these can be reused. */
const TOKENS: Record<string, string> = {
  tok_visa: '4242424242424242',
  tok_visa_debit: '4000056655665556',
  tok_mastercard: '5555555555554444',
  tok_amex: '378282246310005',
  tok_discover: '6011111111111117',
  tok_diners: '3056930009020004',
  tok_jcb: '3566002020360505',
  tok_unionpay: '6200000000000005',
  tok_au: '4000000360000006',
  tok_chargeDeclined: '4000000000000002',
  tok_chargeDeclinedInsufficientFunds: '4000000000009995',
  tok_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  tok_visa_chargeDeclinedLostCard: '4000000000009987',
  tok_visa_chargeDeclinedStolenCard: '4000000000009979',
  tok_chargeDeclinedExpiredCard: '4000000000000069',
  tok_chargeDeclinedIncorrectCvc: '4000000000000127',
  tok_chargeDeclinedProcessingError: '4000000000000119',
  tok_chargeCustomerFail: '4000000000000341',
  tok_threeDSecureOptional: '4000002500003155',
  tok_threeDSecure2Required: '4000000000003220',
  tok_threeDSecureRequired: '4000002760003184',
}

/** What may be stored of a card, which never includes the number. */
export interface KeptCard {
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  fingerprint: string
  behaviour: Behaviour
}

const passesLuhn = (number: string) =>
  [...number].toReversed().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

function kept(number: string, expiry: { month: number; year: number }, secret: Uint8Array): KeptCard {
  const { brand, ...behaviour } = NUMBERS[number] ?? {
    brand: 'unknown',
    keep: 'test_mode_live_card' as const,
  }
  return {
    brand,
    last4: number.slice(-4),
    exp_month: expiry.month,
    exp_year: expiry.year,
    fingerprint: createHmac('sha256', secret).update(`card ${number}`).digest('base64url').slice(0, 16),
    behaviour,
  }
}

export function cardOfToken(token: string, at: Date, secret: Uint8Array): KeptCard | null {
  const number = Object.hasOwn(TOKENS, token) ? TOKENS[token]! : null
  return number === null ? null : kept(number, { month: 12, year: at.getUTCFullYear() + 4 }, secret)
}

export interface TypedCard {
  number: string
  exp_month: number | string
  exp_year: number | string
  cvc: string
}

/** Checks a typed card as the provider's own script does. */
export function cardOfTyped(typed: TypedCard, at: Date, secret: Uint8Array): KeptCard {
  const wrong = (code: string, param: string, message: string): never => {
    throw new Refusal(402, code, message, { param })
  }
  const number = typed.number.replace(/[\s-]/g, '')
  if (!/^\d{13,19}$/.test(number) || !passesLuhn(number))
    wrong('incorrect_number', 'number', 'Your card number is incorrect.')
  const month = Number(typed.exp_month)
  if (!Number.isInteger(month) || month < 1 || month > 12)
    wrong('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.")
  const short = Number(typed.exp_year)
  const year = short < 100 ? 2000 + short : short
  const isPast = Date.UTC(year, month, 1) <= at.getTime()
  if (!Number.isInteger(year) || isPast || year > at.getUTCFullYear() + 50)
    wrong('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.")
  const digits = NUMBERS[number]?.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/
  if (!digits.test(typed.cvc)) wrong('invalid_cvc', 'cvc', "Your card's security code is invalid.")
  return kept(number, { month, year }, secret)
}

export function declined(decline: Decline) {
  const [code, message] = DECLINES[decline]
  return { code, message }
}

export type Verdict = { says: 'yes' } | { says: 'challenge' } | { says: 'no'; decline: Decline }
/** The decline that an armed fault makes a bank give this time, for any card. */
export type Whim = 'decline' | 'challenge' | null

export function verdictOnKeeping({ keep, challenge }: Behaviour, whim: Whim): Verdict {
  if (whim === 'decline') return { says: 'no', decline: 'generic_decline' }
  if (keep) return { says: 'no', decline: keep }
  return { says: challenge || whim === 'challenge' ? 'challenge' : 'yes' }
}

export function verdictOnCharging(
  { keep, charge, challenge }: Behaviour,
  { whim, present, setUp, confirmed }: { whim: Whim; present: boolean; setUp: boolean; confirmed: boolean },
): Verdict {
  if (whim === 'decline') return { says: 'no', decline: 'generic_decline' }
  if (keep) return { says: 'no', decline: keep }
  const asks =
    whim === 'challenge' ||
    challenge === 'always' ||
    (challenge === 'present' && present) ||
    (challenge === 'setup' && !setUp)
  if (asks && !confirmed)
    return present ? { says: 'challenge' } : { says: 'no', decline: 'authentication_required' }
  return charge ? { says: 'no', decline: charge } : { says: 'yes' }
}
