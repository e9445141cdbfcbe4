import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import type { Flag, Level } from '#contract/urgency.ts'
import type { World } from '../context.ts'
import { pets, species } from '../db/schema.ts'
import { type Reader, readerOf, RuleSet, type Urgency } from './rules.ts'

/** Every rule set that comes with the product, the newest first. Each file is one version and never changes. */
const FILES = ['rules-1.json']

interface Loaded {
  rules: RuleSet
  reader: Reader
}
const loaded = new Map<string, Loaded>()

/** They are read when somebody first needs them, so that a start doesn't wait. */
function ruleSets() {
  if (loaded.size === 0)
    for (const file of FILES) {
      const rules = RuleSet.parse(JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')))
      loaded.set(rules.version, { rules, reader: readerOf(rules) })
    }
  return loaded
}

export const newestRules = (): Loaded => ruleSets().values().next().value!

/** Reads how urgent a pet's consult is, in the form in which it is stored with it. */
export async function urgencyOf(
  { db }: Pick<World, 'db'>,
  { petId, petIssue: text }: { petId: number; petIssue: string },
  signs: string[] = [],
) {
  const [pet] = await db
    .select({ species: species.name })
    .from(pets)
    .innerJoin(species, eq(species.id, pets.speciesId))
    .where(eq(pets.id, petId))
  const { level, reasons, version } = newestRules().reader({ species: pet?.species ?? 'other', text, signs })
  return { urgency: level, urgencyRead: { version, reasons, signs } }
}

type Read = Pick<Urgency, 'version' | 'reasons'> | null

const signOf = (read: NonNullable<Read>, sign: string) =>
  (ruleSets().get(read.version) ?? newestRules()).rules.signs.find(({ id }) => id === sign)

/** The first reason in two or three words. */
export const whyInShort = (read: Read): string => {
  const first = read?.reasons[0]
  return (first && signOf(read, first.sign)?.short) ?? ''
}

/** What its owner reads while they wait; null unless it can't wait. */
export function flagOf(level: Level, read: Read): Flag | null {
  const first = read?.reasons[0]
  const sign = first && signOf(read, first.sign)
  if (!sign || (level !== 'emergency' && level !== 'urgent')) return null
  return {
    level,
    told: first.words ?? sign.says ?? sign.short,
    reason: sign.reason,
    advice: sign.advice.length > 0 ? sign.advice : newestRules().rules.advice,
  }
}
