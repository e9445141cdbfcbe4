import { invalid } from './refusal.ts'

/** The fields of a request as Stripe's forms nest them. */
export interface Fields {
  [name: string]: string | Fields | Fields[] | string[]
}

/** Reads a form such as items[0][price]=x; numbers make lists. */
export function readForm(text: string): Fields {
  const root: Fields = Object.create(null) as Fields
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    let place = root
    for (const part of path.slice(0, -1)) place = (place[part] ??= Object.create(null) as Fields) as Fields
    const last = path.at(-1)!
    place[last === '' ? String(Object.keys(place).length) : last] = value
  }
  return listed(root) as Fields
}

function listed(value: Fields | string): Fields | Fields[] | string[] | string {
  if (typeof value === 'string') return value
  const names = Object.keys(value)
  const inner = (name: string) => listed(value[name] as Fields)
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name)))
    return names.toSorted((a, b) => Number(a) - Number(b)).map(inner) as Fields[]
  return Object.fromEntries(names.map((name) => [name, inner(name)])) as Fields
}

export const textIn = (fields: Fields, name: string): string | undefined =>
  typeof fields[name] === 'string' && fields[name] !== '' ? fields[name] : undefined

export function needed(fields: Fields, name: string): string {
  const value = textIn(fields, name)
  if (value !== undefined) return value
  throw invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
}

export const fieldsIn = (fields: Fields, name: string): Fields =>
  typeof fields[name] === 'object' && !Array.isArray(fields[name]) ? fields[name] : {}

export const listIn = (fields: Fields, name: string): (Fields | string)[] =>
  Array.isArray(fields[name]) ? fields[name] : []

export const isOn = (fields: Fields, name: string): boolean => fields[name] === 'true'

export function wholeIn(fields: Fields, name: string): number {
  const value = Number(needed(fields, name))
  if (Number.isInteger(value) && value >= 0) return value
  throw invalid(`Invalid integer: ${fields[name] as string}`, {
    code: 'parameter_invalid_integer',
    param: name,
  })
}

export const metadataIn = (fields: Fields): Record<string, string> =>
  fieldsIn(fields, 'metadata') as Record<string, string>
