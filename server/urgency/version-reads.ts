import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../build-paths.ts'
import { type Reader, readerOf, RuleSet } from './rules.ts'

/** Every rule set that comes with the product, the oldest first. Each file is one version and never changes. */
const FILES = Array.from({ length: 10 }, (_, before) => `rules-${before + 1}.json`)
/** What is live until an admin makes a version live. Another file doesn't change it. */
const FIRST_LIVE = '2026-11-10'

export interface Loaded {
  rules: RuleSet
  reader: Reader
}
const loaded = new Map<string, Loaded>()
const written = new Map<string, Written>()

type Words = Record<string, string[]>
interface WrittenSign {
  id: string
  words?: Words
  except?: string[]
  unless?: string[]
}
interface Written {
  version: string
  /** What this version leaves out is the same as in that one. A sign that both have changes only where this one is new. */
  based_on?: string
  groups?: Record<string, string>
  signs?: WrittenSign[]
  /** Phrases added to those of the version before: of signs, of groups, and of the lists beside them. */
  more?: { groups?: Record<string, string>; signs?: WrittenSign[]; [list: string]: unknown }
  /** Phrases of the version before that this one drops; a sign's words in every language. */
  less?: {
    groups?: Record<string, string>
    signs?: { id: string; words?: string[]; except?: string[] }[]
    [list: string]: unknown
  }
}

/** The files are read when they're first needed, so that a start doesn't wait. */
function ruleSets() {
  if (loaded.size === 0)
    for (const file of FILES) {
      const one = load(path.join(ROOT, 'server/urgency', file))
      loaded.set(one.rules.version, one)
    }
  return loaded
}

function load(file: string): Loaded {
  const own = JSON.parse(readFileSync(file, 'utf8')) as Written
  const whole = onTopOf(own.based_on === undefined ? undefined : written.get(own.based_on), own)
  written.set(whole.version, whole)
  const rules = RuleSet.parse(whole)
  let reader: Reader | undefined
  // Preparing a reader takes long, and for most versions we need only the words.
  return { rules, reader: (complaint) => (reader ??= readerOf(rules))(complaint) }
}

function onTopOf(before: Written | undefined, { more = {}, less = {}, ...own }: Written): Written {
  if (!before) return own
  const base = without(before, less)
  const changed = new Map(own.signs?.map((sign) => [sign.id, sign]))
  const known = new Set(base.signs?.map(({ id }) => id))
  const added = new Map(more.signs?.map((sign) => [sign.id, sign]))
  const { groups = {}, signs: _, ...lists } = more
  const named: Record<string, string> = { ...base.groups, ...own.groups }
  const whole = { ...base, ...own } as Written & Record<string, string[]>
  return {
    ...whole,
    ...Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [name, [...whole[name]!, ...(list as string[])]]),
    ),
    groups: { ...named, ...mapped(groups, (name, list) => [named[name], list].filter(Boolean).join('; ')) },
    signs: [
      ...(base.signs ?? []).map((sign) => withMore({ ...sign, ...changed.get(sign.id) }, added.get(sign.id))),
      ...(own.signs ?? []).filter(({ id }) => !known.has(id)),
    ],
  }
}

/** A version without some of its phrases, because their words alone said too little. */
function without(base: Written, less: NonNullable<Written['less']>): Written {
  const { groups = {}, signs = [], ...lists } = less
  const dropped = new Map(signs.map((sign) => [sign.id, sign]))
  const whole = base as Written & Record<string, string[]>
  return {
    ...base,
    ...mapped(lists, (name, list) => {
      const gone = phrasesIn(list as string[])
      return whole[name]!.map((line) => lineWithout(line, gone))
    }),
    groups: mapped(base.groups ?? {}, (name, list) => lineWithout(list, phrasesIn([groups[name] ?? '']))),
    signs: base.signs?.map((sign) => {
      const { words = [], except = [] } = dropped.get(sign.id) ?? {}
      const [gone, goneExcept] = [phrasesIn(words), phrasesIn(except)]
      return {
        ...sign,
        words: mapped(sign.words ?? {}, (_, list) => list.map((line) => lineWithout(line, gone))),
        except: (sign.except ?? []).map((line) => lineWithout(line, goneExcept)),
      }
    }),
  }
}
const phrasesIn = (lines: string[]) => new Set(lines.flatMap((line) => line.split(/\s*;\s*/)))
const lineWithout = (line: string, gone: ReadonlySet<string>) =>
  line
    .split(/\s*;\s*/)
    .filter((phrase) => !gone.has(phrase))
    .join('; ')

const withMore = (sign: WrittenSign, more: WrittenSign | undefined): WrittenSign =>
  more
    ? {
        ...sign,
        words: {
          ...sign.words,
          ...mapped(more.words ?? {}, (language, list) => [...(sign.words?.[language] ?? []), ...list]),
        },
        except: [...(sign.except ?? []), ...(more.except ?? [])],
        unless: [...(sign.unless ?? []), ...(more.unless ?? [])],
      }
    : sign

const mapped = <V>(of: Record<string, V>, change: (key: string, value: V) => V) =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(key, value)]))

export const allRules = (): Loaded[] => [...ruleSets().values()]
export const newestRules = (): Loaded => allRules().at(-1)!
export const firstLive = (): Loaded => ruleSets().get(FIRST_LIVE)!
export const rulesNamed = (version: string): Loaded | undefined => ruleSets().get(version)

/** The rules of a version. If this product no longer has that version, the newest. */
export const rulesOf = (version: string): Loaded => rulesNamed(version) ?? newestRules()

/** A version by its name, or a file that isn't part of the product yet. */
export function rulesIn(name: string): Loaded | undefined {
  const known = rulesNamed(name)
  if (known || !existsSync(name)) return known
  const { rules } = load(name)
  // Mistakes in a file must show before a replay begins.
  return { rules, reader: readerOf(rules) }
}
