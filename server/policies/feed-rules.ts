import { email } from '#contract/fields.ts'
import { asStored } from './rules.ts'

/* Reads the file of the partner insurer. */

export interface FeedRow {
  policy: string
  holderEmail: string
  petName: string
  speciesId: number
  isLive: boolean
}
export interface BadRow {
  row: number
  why: string
}

const COLUMNS = ['policy', 'holder_email', 'pet_name', 'species', 'state'] as const
type Column = (typeof COLUMNS)[number]
const MOST_AT_ONCE = 0.2

/** A feed that would end more than this is more likely a mistake, so a person checks it first. */
export const endsTooMany = (ends: number, live: number) => ends > live * MOST_AT_ONCE

/**
 * Reads a feed into rows, numbered as a spreadsheet does, and the rows that are unusable. Throws what is wrong with
 * its first row if the whole file is unusable.
 */
export function readFeed(text: string, species: Map<string, number>): { rows: FeedRow[]; bad: BadRow[] } {
  const [head, ...lines] = cellsOf(text.replace(/^\uFEFF/, ''))
  const names = head?.cells.map((name) => name.trim().toLowerCase()) ?? []
  const missing = COLUMNS.filter((column) => !names.includes(column))
  if (missing.length > 0) throw new NoFeed(`must name every column, and lacks ${missing.join(', ')}`)
  const doubled = COLUMNS.filter((column) => names.indexOf(column) !== names.lastIndexOf(column))
  if (doubled.length > 0) throw new NoFeed(`names ${doubled.join(', ')} twice`)
  const rows = new Map<string, FeedRow>()
  const bad: BadRow[] = []
  for (const { row, cells, isBroken } of lines) {
    const read = isBroken
      ? 'has an unclosed quote, or text after a closing quote'
      : readRow(names, cells, species)
    if (typeof read === 'string') bad.push({ row, why: read })
    else if (rows.has(read.policy)) bad.push({ row, why: 'repeats a policy from an earlier row' })
    else rows.set(read.policy, read)
  }
  return { rows: [...rows.values()], bad }
}

export class NoFeed extends Error {}

/** A row, or the reason why it is unusable. */
function readRow(names: string[], cells: string[], species: Map<string, number>): FeedRow | string {
  if (cells.length !== names.length)
    return `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} instead of ${names.length}`
  const said = Object.fromEntries(names.map((name, n) => [name, cells[n]!.trim()])) as Record<Column, string>
  if (Object.values(said).some((cell) => cell.includes('\0'))) return 'contains an invalid character'
  const policy = asStored(said.policy)
  if (policy === '' || policy.length > 60) return 'needs a policy number of 1 to 60 characters'
  const holderEmail = email.safeParse(said.holder_email)
  if (!holderEmail.success) return 'has no valid email for the policyholder'
  if (said.pet_name === '' || said.pet_name.length > 80) return 'needs a pet name of 1 to 80 characters'
  const speciesId = species.get(said.species.toLowerCase())
  if (speciesId === undefined) return 'has an unknown species'
  const state = said.state.toLowerCase()
  if (state !== 'live' && state !== 'lapsed') return 'has a state that is neither live nor lapsed'
  return {
    policy,
    holderEmail: holderEmail.data,
    petName: said.pet_name,
    speciesId,
    isLive: state === 'live',
  }
}

/** The cells of a CSV file with the row where each line begins. Skips empty lines. Quotes may have commas and breaks. */
function cellsOf(text: string) {
  const lines: { row: number; cells: string[]; isBroken: boolean }[] = []
  let cells: string[] = []
  let isBroken = false
  let row = 1
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:[^\S\r\n]*"((?:[^"]|"")*)"[^\S\r\n]*|([^,\r\n]*))(,|\r\n|\n|\r|$)/g,
  )) {
    cells.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    // A cell that begins with a quote must end with one, or its end is unknown.
    if (quoted === undefined && plain!.trimStart().startsWith('"')) isBroken = true
    if (end === ',') continue
    if (cells.some((cell) => cell !== '')) lines.push({ row, cells, isBroken })
    row++
    cells = []
    isBroken = false
    if (end === '') break
  }
  return lines
}
