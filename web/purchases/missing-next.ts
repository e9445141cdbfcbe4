import type { Rules } from '../ui/form-state.ts'
import { say, sentence, type Sentence } from '../ui/say.ts'

/** What a form still needs, in the order of every form that sells or signs up. */
const NEXT: Record<string, Sentence> = {
  species: sentence('Next: which animal'),
  other: sentence('Next: which animal'),
  name: sentence('Next: your pet’s name'),
  breed: sentence('Next: the breed'),
  issue: sentence('Next: what’s wrong'),
  firstName: sentence('Next: your name'),
  lastName: sentence('Next: your last name'),
  email: sentence('Next: your email address'),
  mobile: sentence('Next: your mobile number'),
  password: sentence('Next: a password'),
  confirm: sentence('Next: the password again'),
}

/** The first missing thing, in words; undefined if nothing is missing. */
export function missingNext<Typed extends { agreed: boolean }>(
  rules: Rules<Typed> | undefined,
  typed: Typed,
): string | undefined {
  const wrong: Record<string, unknown> = rules?.(typed) ?? {}
  const first = Object.keys(NEXT).find((name) => wrong[name])
  if (first) return say(NEXT[first]!)
  return typed.agreed ? undefined : say('Please accept the terms first.')
}
