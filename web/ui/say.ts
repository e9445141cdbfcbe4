import { createElement, Fragment, type ReactNode } from 'react'

declare const unsaid: unique symbol
/** A sentence that stands outside a component, with the names of its holes: `say` makes it one that can be shown. */
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

/** What is said in place of each English sentence; nothing while English is spoken. */
let spoken: Record<string, string> = {}
/** As days and months are named. */
let locale = 'en-GB'

export const spokenLocale = () => locale

/** From here on sentences are said in these words. */
export function speak(words: Record<string, string>, language: string) {
  spoken = words
  locale = language
}

/** What was said elsewhere, such as by the server, one sentence a line. */
export const sayLines = (lines: string) =>
  lines
    .split('\n')
    .map((line) => say(line))
    .join('\n')

/**
 * A sentence in the language that is spoken. The English one is its own name in the catalogue: it stands where it is
 * read, and is said as it is where a language has none of its own yet.
 */
export function say<S extends string | Sentence<string>>(
  sentence: S,
  ...holes: Fill<S, string | number>
): string
export function say<S extends string | Sentence<string>>(sentence: S, ...holes: Fill<S, ReactNode>): ReactNode
export function say(sentence: unknown, holes?: Record<string, ReactNode>): ReactNode {
  const words = spoken[sentence as string] || (sentence as string)
  if (!holes) return words
  const parts = words.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : holes[part]))
  return parts.some((part) => typeof part === 'object')
    ? createElement(Fragment, null, ...parts)
    : parts.join('')
}

/** Names a sentence where no language is known yet: what stands outside of components is made once. */
export const sentence = <S extends string>(english: S) => english as unknown as Sentence<HolesOf<S>>
