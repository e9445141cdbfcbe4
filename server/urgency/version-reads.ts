import { readFileSync } from 'node:fs'
import { type Reader, readerOf, RuleSet } from './rules.ts'

/** Every rule set that comes with the product, the oldest first. Each file is one version and never changes. */
const FILES = ['rules-1.json', 'rules-2.json']

interface Loaded {
  rules: RuleSet
  reader: Reader
}
const loaded = new Map<string, Loaded>()

interface Written {
  version: string
  /** What this version leaves out is as in that one; a sign that both have takes only what is new from this one. */
  based_on?: string
  signs?: { id: string }[]
}

/** They are read when somebody first needs them, so that a start doesn't wait. */
function ruleSets() {
  if (loaded.size > 0) return loaded
  const written = new Map<string, Written>()
  for (const file of FILES) {
    const own = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Written
    const whole = onTopOf(own.based_on === undefined ? undefined : written.get(own.based_on), own)
    written.set(whole.version, whole)
    const rules = RuleSet.parse(whole)
    loaded.set(rules.version, { rules, reader: readerOf(rules) })
  }
  return loaded
}

function onTopOf(base: Written | undefined, own: Written): Written {
  if (!base) return own
  const changed = new Map(own.signs?.map((sign) => [sign.id, sign]))
  const signs = base.signs?.map((sign) => ({ ...sign, ...changed.get(sign.id) })) ?? []
  const known = new Set(signs.map(({ id }) => id))
  return { ...base, ...own, signs: [...signs, ...[...changed.values()].filter(({ id }) => !known.has(id))] }
}

export const newestRules = (): Loaded => [...ruleSets().values()].at(-1)!

/** Those of a version; of one that this product no longer has, the newest. */
export const rulesOf = (version: string): Loaded => ruleSets().get(version) ?? newestRules()
