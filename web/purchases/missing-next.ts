import { say, sentence, type Sentence } from '../ui/say.ts'
import { purchaseRules, type PurchaseTyped } from './purchase-rules.ts'

/** What the form still needs, in the form's order. */
const NEXT: Partial<Record<keyof PurchaseTyped, Sentence>> = {
  species: sentence('Next: which animal it is'),
  other: sentence('Next: which animal it is'),
  name: sentence('Next: your pet’s name'),
  breed: sentence('Next: the breed'),
  issue: sentence('Next: what’s wrong'),
  firstName: sentence('Next: your name'),
  lastName: sentence('Next: your last name'),
  email: sentence('Next: your email address'),
  mobile: sentence('Next: your mobile number'),
}
const ORDER = Object.keys(NEXT) as (keyof PurchaseTyped)[]

/** The first missing thing, in words; undefined if nothing is missing. */
export function missingNext(typed: PurchaseTyped): string | undefined {
  const found = purchaseRules['~standard'].validate(typed)
  const wrong = 'issues' in found ? new Set(found.issues?.map(({ path }) => path?.[0])) : new Set()
  const first = ORDER.find((name) => wrong.has(name))
  if (first) return say(NEXT[first]!)
  return typed.agreed ? undefined : say('Please accept the terms first.')
}
