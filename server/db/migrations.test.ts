import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const META = new URL('migrations/meta/', import.meta.url)

interface Column {
  type: string
  notNull: boolean
  default?: unknown
  identity?: unknown
  generated?: unknown
}
interface Table {
  columns: Record<string, Column>
  uniqueConstraints: Record<string, unknown>
}
type Schema = Record<string, Table>

/** Columns unused since the previous release, as `table.column`: a migration may remove these. */
const UNUSED: string[] = []

/** Only the newest two are kept: drizzle-kit compares with the last, and this test with the one before. */
const schemas = readdirSync(META)
  .filter((name) => name.endsWith('_snapshot.json'))
  .toSorted()
  .map((name) => (JSON.parse(readFileSync(new URL(name, META), 'utf8')) as { tables: Schema }).tables)

/** What the previous version, whose schema is `before`, could no longer read or write. */
function broken(before: Schema, after: Schema): string[] {
  return Object.entries(before).flatMap(([name, table]) => {
    const now = after[name]
    if (!now) return [`${name} is gone`]
    const ofOld = Object.entries(table.columns).flatMap(([column, was]) => {
      const is = now.columns[column]
      if (!is) return [`${name}.${column} is gone`]
      if (is.type !== was.type) return [`${name}.${column} was ${was.type} and is ${is.type}`]
      return is.notNull && !was.notNull ? [`${name}.${column} must not be null any more`] : []
    })
    const ofNew = Object.entries(now.columns)
      .filter(([column, is]) => !(column in table.columns) && is.notNull)
      .filter(([, is]) => is.default === undefined && !is.identity && !is.generated)
      .map(([column]) => `${name}.${column} is new and needs a value`)
    const unique = Object.keys(now.uniqueConstraints)
      .filter((constraint) => !(constraint in table.uniqueConstraints))
      .map((constraint) => `${name} has a new rule, ${constraint}`)
    return [...ofOld, ...ofNew, ...unique]
  })
}

it('the version before the latest migration can still read and write [OPS-3]', () => {
  expect(schemas).toHaveLength(2)
  const [before, after] = schemas as [Schema, Schema]
  expect(broken(before, after).filter((one) => !UNUSED.includes(one.split(' ')[0]!))).toEqual([])
})

it('the check finds what would stop the previous version', () => {
  const pets = schemas[1]!['public.pets']!
  const text = { type: 'text', notNull: true }
  const columns: Table['columns'] = {
    ...pets.columns,
    species_id: text,
    colour: text,
    mood: { ...text, default: "''" },
  }
  delete columns['name']
  const after = { pets: { columns, uniqueConstraints: { pets_colour: {} } } }
  expect(broken({ pets, gone: pets }, after)).toEqual([
    'pets.name is gone',
    'pets.species_id was smallint and is text',
    'pets.colour is new and needs a value',
    'pets has a new rule, pets_colour',
    'gone is gone',
  ])
})
