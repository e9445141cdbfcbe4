import { createElement, Fragment, type ReactNode } from 'react'

declare const unsaid: unique symbol
/** A sentence that is declared outside a component, with the names of its placeholders. `say` turns it into text. */
export interface Sentence<Hole extends string = never> {
  readonly [unsaid]: Hole
}

type HolesOf<S> =
  S extends Sentence<infer Hole>
    ? Hole
    : S extends `${string}{${infer Hole}}${infer Rest}`
      ? Hole | HolesOf<Rest>
      : never
type Fill<S, V> = [HolesOf<S>] extends [never] ? [] : [holes: Record<HolesOf<S>, V>]

/** The translation of each English sentence; empty in English. */
let spoken: Record<string, string> = {}
/** The locale for days and months. */
let locale = 'en-GB'

export const spokenLocale = () => locale

/** Sets the translations for all later sentences. */
export function speak(words: Record<string, string>, language: string) {
  spoken = words
  locale = language
}

/** Sentences from elsewhere with filled placeholders, by their text. A language only translates unfilled ones. */
const filled = new Map<string, { sentence: string; holes: Record<string, string> }>()

export const cameFilled = (english: string, sentence: string, holes: Record<string, string>) =>
  void filled.set(english, { sentence, holes })

/** Translates text from elsewhere, such as the server's, line by line. */
export const sayLines = (lines: string) =>
  lines
    .split('\n')
    .map((line) => say(line))
    .join('\n')

/**
 * A sentence in the page's language. The English sentence is its own key in the catalogue, so it's written in the code.
 * A language without a translation shows it in English.
 */
export function say<S extends string | Sentence<string>>(
  sentence: S,
  ...holes: Fill<S, string | number>
): string
export function say<S extends string | Sentence<string>>(sentence: S, ...holes: Fill<S, ReactNode>): ReactNode
export function say(sentence: unknown, holes?: Record<string, ReactNode>): ReactNode {
  const came = holes ? undefined : filled.get(sentence as string)
  if (came) return say(came.sentence as unknown as Sentence<string>, came.holes)
  const words = spoken[sentence as string] || (sentence as string)
  if (!holes) return words
  const parts = words.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : holes[part]))
  return parts.some((part) => typeof part === 'object')
    ? createElement(Fragment, null, ...parts)
    : parts.join('')
}

/** Declares a sentence outside components. That code runs once, before the language is known. */
export const sentence = <S extends string>(english: S) => english as unknown as Sentence<HolesOf<S>>
