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
const written = new Map<string, Version>()

/** Texts, lists of them, and both by name, as files have them. */
type Said = string | Said[] | Named | undefined
interface Named {
  [name: string]: Said
}
/** Its signs are under their ids. */
interface Version extends Named {
  groups?: Named
  signs: Record<string, Named>
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
  const { more = {}, less = {}, ...own } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Named>
  const whole = onTopOf(written.get(String(own['based_on'])), byId(own), byId(more), byId(less))
  written.set(String(whole['version']), whole)
  const signs = Object.entries(whole.signs).map(([id, sign]) => ({ id, ...sign }))
  const rules = RuleSet.parse({ ...whole, signs })
  let reader: Reader | undefined
  // Preparing a reader takes long, and for most versions we need only the words.
  return { rules, reader: (complaint) => (reader ??= readerOf(rules))(complaint) }
}

const byId = ({ signs = [], ...own }: Named): Version => ({
  ...own,
  signs: Object.fromEntries((signs as Named[]).map(({ id, ...sign }) => [id, sign])),
})

/**
 * A version on top of the one that it is based on: without the phrases that it drops, with those that it adds. What it
 * leaves out is the same as in that one, and a sign that both have changes only where this one is new.
 */
function onTopOf(before: Version | undefined, own: Version, more: Version, less: Version): Version {
  const base = without(before ?? byId({}), less) as Version
  const groups = { ...base.groups, ...own.groups }
  const signs = { ...base.signs }
  for (const [id, sign] of Object.entries(own.signs)) signs[id] = { ...signs[id], ...sign }
  return withMore({ ...base, ...own, groups, signs }, more) as Version
}

/** A text or list that `less` has drops its phrases; a list drops them from a sign's words in every language. */
function without(said: Said, less: Said): Said {
  if (typeof less === 'object' && !Array.isArray(less)) {
    const named = said as Named
    return { ...named, ...mapped(less, (name, its) => without(named[name], its)) }
  }
  const gone = new Set([less as string | string[]].flat().flatMap(phrasesIn))
  const rest = (one: Said): Said => {
    if (typeof one === 'string')
      return phrasesIn(one)
        .filter((phrase) => !gone.has(phrase))
        .join('; ')
    return Array.isArray(one) ? one.map(rest) : one && mapped(one, (_, its) => rest(its))
  }
  return rest(said)
}

function withMore(said: Said, more: Said): Said {
  if (!said) return more
  if (typeof said === 'string') return `${said}; ${more as string}`
  if (Array.isArray(said)) return [...said, ...(more as Said[])]
  return { ...said, ...mapped(more as Named, (name, its) => withMore(said[name], its)) }
}

const phrasesIn = (line: string) => line.split(/\s*;\s*/)

const mapped = (named: Named, change: (name: string, its: Said) => Said): Named =>
  Object.fromEntries(Object.entries(named).map(([name, its]) => [name, change(name, its)]))

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
