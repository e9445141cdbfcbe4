import { createElement, Fragment, type ReactNode } from 'react'

declare const unsaid: unique symbol
/** A sentence declared outside a component, with the names of its holes. `say` turns it into text to show. */
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

/** Sets the translations for all sentences from here on. */
export function speak(words: Record<string, string>, language: string) {
  spoken = words
  locale = language
}

/** Sentences that came with their placeholders filled, by what they came as: only whole ones are in a language's words. */
const filled = new Map<string, { sentence: string; holes: Record<string, string> }>()

export const cameFilled = (english: string, sentence: string, holes: Record<string, string>) =>
  void filled.set(english, { sentence, holes })

/** Translates text from elsewhere, such as the server's, one sentence a line. */
export const sayLines = (lines: string) =>
  lines
    .split('\n')
    .map((line) => say(line))
    .join('\n')

/**
 * A sentence in the page's language. The English sentence is its own key in the catalogue: it's written where it is
 * shown, and shown as it is where a language has no translation yet.
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

/** Declares a sentence where no language is known yet: code outside components runs once. */
export const sentence = <S extends string>(english: S) => english as unknown as Sentence<HolesOf<S>>
