import * as z from 'zod'
import { LEVELS, type Level } from '#contract/urgency.ts'
import {
  type Found,
  findPhrase,
  foldWord,
  isSlip,
  type Phrase,
  phraseOf,
  placesIn,
  type Places,
  shortened,
  type Words,
  wordsOf,
} from './phrase-rules.ts'
import { CUES, type Cues, scopeOf } from './scope-rules.ts'

/* Reads what an owner ticked and wrote, and says how urgent it is and why. What it looks for is data: a rule set. */

const level = z.enum(LEVELS)
const phrases = z.array(z.string()).transform((lines) =>
  lines.flatMap((line) =>
    line
      .split(';')
      .map((phrase) => phrase.trim())
      .filter(Boolean),
  ),
)
const words = z.object({ en: phrases, af: phrases, zu: phrases }).partial()

const sign = z.object({
  id: z.string(),
  /** What an owner ticks; missing for a sign that is found only in words. */
  says: z.string().optional(),
  /** In two or three words, for vets. */
  short: z.string(),
  /** The species it is read for, if not all. */
  only: z.array(z.string()).optional(),
  /** The region where it's found, if not everywhere. */
  region: z.string().optional(),
  level: z.union([level, z.record(z.string(), level)]),
  reason: z.string(),
  advice: z.array(z.string()).default([]),
  sources: z.array(z.string()).default([]),
  words: words.default({}),
  /** Phrases that mean something else; near one of them, the sign isn't found. */
  except: phrases.default([]),
  /** Phrases that mean it isn't this sign, wherever they are: blood on the couch of a dog in season. */
  unless: phrases.default([]),
})
export type Sign = z.infer<typeof sign>

/** The signs that owners of these animals are asked about before a consult, in this order. */
const check = z.object({
  species: z.array(z.string()),
  groups: z.array(
    z.object({
      title: z.string(),
      /** How this animal's owner says it, if not as the sign does. A note makes it easier to see. */
      signs: z.array(
        z.object({ sign: z.string(), says: z.string().optional(), note: z.string().optional() }),
      ),
    }),
  ),
})

export const RuleSet = z.object({
  version: z.string(),
  made_by: z.string(),
  made_on: z.string(),
  notes: z.string().default(''),
  groups: z.record(
    z.string(),
    z.string().transform((list) => list.split(/\s*;\s*/).filter(Boolean)),
  ),
  /** What to do, if a sign says nothing more. */
  advice: z.array(z.string()),
  /** Words that turn the next ones into their opposite, and words that end that. */
  negation: phrases,
  negation_after: phrases,
  /** Words that deny only the end of what they speak of: "can't stop shaking". */
  endless: phrases.default([]),
  breaks: phrases,
  /** Phrases with a negation that isn't about a sign: "no idea", "no trouble eating". */
  harmless: phrases,
  past: phrases,
  /** Words that say that everything before them in the sentence is over: "and has been healthy ever since". */
  over: phrases.default([]),
  now: phrases,
  asking: phrases,
  /** What a sentence is about, if not the animal's state: what a plan pays, a record, a lesson, a journey. */
  errands: phrases.default([]),
  /** Words that open a question about animals in general, if it mentions none of the owner's. */
  questions: phrases.default([]),
  /** The owner's animal, unless the word before it is "a". */
  pets: phrases.default([]),
  /** Where a question ends without a comma: "can I give her something she …". */
  subjects: phrases,
  others: phrases,
  ours: phrases,
  /** Words that are one letter from a term and mean something else. */
  real_words: phrases,
  signs: z.array(sign),
  /**
   * The sign of a complaint of this many words without another sign, unless a question, a request or a well animal shows that it
   * can wait. A plea, such as "what do I do", doesn't show that. Openers make a question only at the start of a clause: "is the
   * hay ok" is one, "and now there is the smell" isn't.
   */
  unread: z
    .object({
      sign: z.string(),
      words: z.number(),
      /** If signs were found and none of them counts: this many words in clauses without one. */
      beside: z.number(),
      unless: phrases,
      openers: phrases.default([]),
      pleas: phrases,
    })
    .optional(),
  check: z.array(check).default([]),
})
export type RuleSet = z.infer<typeof RuleSet>
type Unread = NonNullable<RuleSet['unread']>

export interface Complaint {
  species: string
  /** Signs of other regions are left out. Without a region, all signs count. */
  region?: string
  text: string
  signs?: readonly string[]
}
export interface Reason {
  sign: string
  /** The owner's own words; null if they ticked the sign. */
  words: string | null
}
export interface Urgency {
  level: Level
  /** The most urgent first, then as the rule set lists them. */
  reasons: Reason[]
  version: string
}

const SLIP_LENGTH = 6
/** How many words of a complaint without a sign are repeated to its owner. */
const QUOTED = 12

/** In isiZulu the negation is part of the verb: "ayihlanzi" isn't vomiting. */
const DENIED_VERB = /^a(yi|li|ka|wu|ba|zi|ku|si|lu)\w+(i|anga)$/

/** Three letters that every word of this pattern has, if it has that many in a row. */
const trigramOf = (pattern: string) =>
  pattern
    .split('*')
    .toSorted((a, b) => b.length - a.length)[0]!
    .slice(0, 3)

/** Finds the terms that a word matches. */
function lexiconOf(ruleSet: RuleSet, terms: string[]) {
  const exact = new Set(terms.filter((term) => !term.includes('*')))
  const known = new Set([...ruleSet.real_words, ...exact])
  /** Patterns by their trigram, so that a word is compared with only a few of them. */
  const patterns = Map.groupBy(
    terms
      .filter((term) => term.includes('*'))
      .map((term) => ({
        term,
        shape: new RegExp(`^${term.replaceAll('*', '.*')}$`),
        isMiddle: /^\*.*\*$/.test(term),
      })),
    ({ term }) => trigramOf(term),
  )
  const mayHaveSlips = termsOf(
    ruleSet.signs.flatMap(({ words: { en = [], af = [] } }) => [...en, ...af]),
    ruleSet,
  )
  const slips = Map.groupBy(
    mayHaveSlips
      .filter((term) => term.length >= SLIP_LENGTH && /^[a-z]+$/.test(term))
      .flatMap((term) => shortened(term).map((short) => ({ short, term }))),
    ({ short }) => short,
  )

  const remembered = new Map<string, readonly string[]>()
  return (word: string): readonly string[] => {
    const before = remembered.get(word)
    if (before) return before
    const found = new Set(exact.has(word) ? [word] : [])
    const isDenied = DENIED_VERB.test(word)
    for (let at = 0; at < word.length; at++)
      for (let length = 1; length <= 3 && at + length <= word.length; length++)
        for (const { term, shape, isMiddle } of patterns.get(word.slice(at, at + length)) ?? [])
          if (shape.test(word) && !(isDenied && isMiddle)) found.add(term)
    if (found.size === 0 && word.length >= SLIP_LENGTH - 1 && !known.has(word)) {
      const near = shortened(word).flatMap((short) => slips.get(short) ?? [])
      for (const { term } of near) if (isSlip(word, term)) found.add(term)
    }
    if (remembered.size > 20_000) remembered.clear()
    const all = [...found]
    remembered.set(word, all)
    return all
  }
}

/** The words that phrases are made of, with those of their groups. */
function termsOf(written: readonly string[], { groups }: RuleSet): string[] {
  const found = new Set<string>()
  for (const term of new Set(written.flatMap((phrase) => phrase.split(/\s+/))))
    if (term.startsWith('@')) {
      const group = groups[term.slice(1)]
      if (!group) throw new Error(`No group is called ${term}`)
      for (const member of group) for (const word of member.split(/\s+/)) found.add(foldWord(word))
    } else if (!/^[…+&]$/.test(term)) found.add(foldWord(term))
  return [...found]
}

interface PreparedSign {
  sign: Sign
  phrases: string[]
  except: Phrase[]
  unless: Phrase[]
}

/** What a reader needs of its rule set, prepared once. */
function prepare(ruleSet: RuleSet) {
  const { unless = [], openers = [], pleas = [] } = ruleSet.unread ?? {}
  const cues = Object.fromEntries(CUES.map((cue) => [cue, ruleSet[cue].map(phraseOf)])) as Cues
  const signs = ruleSet.signs.map((sign): PreparedSign => ({
    sign,
    phrases: Object.values(sign.words).flat(),
    except: sign.except.map(phraseOf),
    unless: sign.unless.map(phraseOf),
  }))
  const written = [
    ...signs.flatMap(({ sign, phrases }) => [...phrases, ...sign.except, ...sign.unless]),
    ...ruleSet.harmless,
    ...CUES.flatMap((cue) => ruleSet[cue]),
    ...unless,
    ...openers,
    ...pleas,
    ...Object.keys(ruleSet.groups).map((name) => `@${name}`),
  ]
  const members = Object.entries(ruleSet.groups).flatMap(([name, list]) =>
    list.map((member) => {
      const [first, ...rest] = member.split(/\s+/).map(foldWord)
      return { group: `@${name}`, first: first!, rest }
    }),
  )
  return {
    cues,
    harmless: ruleSet.harmless.map(phraseOf),
    /** The signs' phrases by the term that they begin with. */
    byFirst: Map.groupBy(
      signs.flatMap((of) => of.phrases.map((words) => ({ of, phrase: phraseOf(words) }))),
      ({ phrase }) => phrase.parts[0]!.steps[0]!.term,
    ),
    lookUp: lexiconOf(ruleSet, termsOf(written, ruleSet)),
    members: Map.groupBy(members, ({ first }) => first),
    breaks: new Set(ruleSet.breaks),
    pleas: pleas.map(phraseOf),
    openers: openers.map(phraseOf),
    canWait: [...unless.map(phraseOf), ...cues.asking, ...cues.errands, ...cues.over],
  }
}
type Prepared = ReturnType<typeof prepare>

/** Finds the terms, and takes "no problem" and the like out of the text, so that their "no" doesn't affect what follows. */
function findTerms(read: Words, { harmless, lookUp, members }: Prepared): Places {
  const found = placesIn(read, lookUp, members)
  const blanks = harmless
    .flatMap((phrase) => findPhrase(phrase, read, found))
    // In "not bleeding any more just itching" there is no "not just".
    .flatMap(([part]) => (part!.end - part!.start === part!.used.length ? part!.used : []))
  if (blanks.length === 0) return found
  for (const at of blanks) read.words[at] = ''
  return placesIn(read, lookUp, members)
}

/** A complaint, and the species and the region that it's read for. */
interface Reading {
  read: Words
  found: Places
  kind: string
  region: string | undefined
}

const says = (phrases: Phrase[], { read, found }: Reading, isDenied: (part: Found) => boolean) =>
  phrases.some((phrase) => findPhrase(phrase, read, found).some((parts) => !parts.some(isDenied)))

/** Each way in which a sign's words are in the text, even if they are denied there or about the past. */
type Ways = Map<PreparedSign, Found[][]>

function waysOf({ byFirst }: Prepared, { read, found, kind, region }: Reading): Ways {
  const ways: Ways = new Map()
  for (const term of found.terms.keys())
    for (const { of, phrase } of byFirst.get(term) ?? []) {
      if (of.sign.only && !of.sign.only.includes(kind)) continue
      if (!isOfRegion(of.sign, region)) continue
      const more = findPhrase(phrase, read, found)
      const before = ways.get(of)
      if (before) before.push(...more)
      else if (more.length > 0) ways.set(of, more)
    }
  return ways
}

/** The signs that the words mean, without those that the owner ticked. */
function meantBy({ cues }: Prepared, reading: Reading, ways: Ways, ticked: Set<string>): Reason[] {
  if (ways.size === 0) return []
  const { read, found } = reading
  const { isDenied, counts, heads } = scopeOf(read, found, cues, [...ways.values()].flat(2))
  return [...ways].flatMap(([{ sign, except, unless }, seen]) => {
    if (ticked.has(sign.id) || says(unless, reading, isDenied)) return []
    const others = except
      .flatMap((phrase) => findPhrase(phrase, read, found))
      .filter((parts) => !parts.some(isDenied))
    const isOther = (parts: Found[]) =>
      others.some((other) => other.every((one) => parts.some((own) => isNear(read, own, one, heads))))
    const meant = seen.find((parts) => counts(parts) && !isOther(parts))
    return meant ? { sign: sign.id, words: quote(read, meant) } : []
  })
}

/** Whether there are many words beside those of signs, and none of them says that it can wait. */
function isUnread(prepared: Prepared, unread: Unread, reading: Reading, ways: Ways): boolean {
  const { cues, pleas, canWait, openers } = prepared
  const { read, found } = reading
  const isSignless = ways.size === 0
  if (besideOf(read, ways.values()) < (isSignless ? unread.words : unread.beside)) return false
  const { isDenied } = scopeOf(read, found, cues, [])
  const pleaded = new Set(
    pleas.flatMap((phrase) => findPhrase(phrase, read, found).flat()).flatMap(({ used }) => used),
  )
  const isVoid = (part: Found) => isDenied(part) || (isSignless && part.used.some((at) => pleaded.has(at)))
  const isInside = ({ start }: Found) => start > 0 && read.clause[start - 1] === read.clause[start]
  return !says(canWait, reading, isVoid) && !says(openers, reading, (part) => isVoid(part) || isInside(part))
}

export type Reader = (complaint: Complaint) => Urgency

/** Prepares a rule set once; the reader it returns takes less than a millisecond for a complaint. */
export function readerOf(ruleSet: RuleSet): Reader {
  const prepared = prepare(ruleSet)
  const { version, signs, unread } = ruleSet

  return ({ species, region, text, signs: ids }) => {
    const kind = species.toLowerCase()
    const read = wordsOf(text, prepared.breaks)
    const reading = { read, found: findTerms(read, prepared), kind, region }
    const ways = waysOf(prepared, reading)
    const ticked = new Set(ids)
    const reasons = new Map<string, Reason>()
    for (const { id } of signs) if (ticked.has(id)) reasons.set(id, { sign: id, words: null })
    for (const reason of meantBy(prepared, reading, ways, ticked)) reasons.set(reason.sign, reason)
    if (reasons.size === 0 && unread && isUnread(prepared, unread, reading, ways))
      reasons.set(unread.sign, { sign: unread.sign, words: read.written.slice(0, QUOTED).join(' ') })
    const rank = (sign: Sign) => LEVELS.indexOf(levelOf(sign, kind))
    const sorted = signs.filter(({ id }) => reasons.has(id)).toSorted((a, b) => rank(a) - rank(b))
    return {
      level: sorted[0] ? levelOf(sorted[0], kind) : 'routine',
      reasons: sorted.map(({ id }) => reasons.get(id)!),
      version,
    }
  }
}

/** How many words are in clauses without a sign. */
function besideOf(read: Words, ways: Iterable<Found[][]>) {
  const discounted = new Set([...ways].flat(2).map(({ start }) => read.clause[start]))
  return read.words.filter((word, at) => word && !discounted.has(read.clause[at])).length
}

/** A phrase that means something else affects only what is this near. */
const EXCEPT_REACH = 8
const isNear = (read: Words, own: Found, one: Found, heads: number[]) =>
  read.sentence[own.start] === read.sentence[one.start] &&
  heads[own.start] === heads[one.start] &&
  heads[one.start] === heads[one.end - 1] &&
  Math.max(one.start - own.end, own.start - one.end) <= EXCEPT_REACH

const isOfRegion = (sign: Sign, region: string | undefined) =>
  !sign.region || !region || sign.region === region

export const levelOf = ({ level }: Sign, species: string): Level =>
  typeof level === 'string' ? level : (level[species] ?? level.else ?? 'urgent')

const quote = (read: Words, parts: Found[]) =>
  parts
    .map(({ start, end }) => read.written.slice(start, end).join(' '))
    .join(' … ')
    .slice(0, 120)

/** The check of one animal, with what to do for each sign. */
export function checkOf({ check, signs, advice }: RuleSet, species: string, region: string) {
  const kind = species.toLowerCase()
  const own = check.find((one) => one.species.includes(kind)) ?? check.at(-1)
  const byId = new Map(signs.map((sign) => [sign.id, sign]))
  return {
    groups: (own?.groups ?? []).map((group) => ({
      title: group.title,
      signs: group.signs.flatMap((asked) => {
        const sign = byId.get(asked.sign)
        if (!sign || !isOfRegion(sign, region)) return []
        return {
          id: sign.id,
          says: asked.says ?? sign.says ?? sign.short,
          note: asked.note ?? null,
          reason: sign.reason,
          advice: sign.advice.length > 0 ? sign.advice : advice,
        }
      }),
    })),
  }
}
