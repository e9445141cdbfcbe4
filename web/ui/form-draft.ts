// What was typed into a form, in sessionStorage until it is sent. Never a password, a card or a file.

import { keepInTab, keptInTab } from './tab-storage.ts'

const place = (key: string) => `draft:${key}`
const secrets = new Map<string, Set<string>>()

const isSecret = (element: Element): element is HTMLInputElement =>
  element instanceof HTMLInputElement &&
  (element.type === 'password' ||
    element.type === 'file' ||
    'secret' in element.dataset ||
    /password|one-time-code|^cc-/.test(element.autocomplete))

/** A name that was secret once stays secret, even when its field has disappeared. */
function secretNames(key: string, form: HTMLElement | null) {
  const names = secrets.get(key) ?? new Set<string>()
  secrets.set(key, names)
  if (form instanceof HTMLFormElement)
    for (const element of form.elements) if (isSecret(element) && element.name) names.add(element.name)
  return names
}

const withoutFiles = (_name: string, value: unknown) =>
  value instanceof Blob || value instanceof FileList ? undefined : value

export function keepDraft(key: string, values: object, defaults: object, form: HTMLElement | null) {
  const copy: Record<string, unknown> = JSON.parse(JSON.stringify(values, withoutFiles))
  for (const name of secretNames(key, form)) delete copy[name]
  const same = (name: string) =>
    JSON.stringify(copy[name]) === JSON.stringify((defaults as Record<string, unknown>)[name])
  const typed = Object.entries(copy).filter(
    ([name, value]) => value !== undefined && value !== null && !same(name),
  )
  // If storage is full, the form works without its draft.
  keepInTab(place(key), typed.length > 0 ? JSON.stringify(Object.fromEntries(typed)) : null)
}

/** Passes what this page already knows to another page's form. */
export const leaveDraft = (key: string, values: Record<string, unknown>) =>
  void keepInTab(place(key), JSON.stringify(values))

export const readDraft = (key: string) => keptInTab<Record<string, unknown>>(place(key)) ?? {}

export const clearDraft = (key: string) => void keepInTab(place(key), null)
