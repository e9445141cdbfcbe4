import { createElement, Fragment, type ReactNode } from 'react'

declare const unsaid: unique symbol
/** A sentence that stands outside a component: `say` makes it one of the language chosen. */
export type Sentence<S extends string = string> = { readonly [unsaid]: S }

/** The names in braces of a sentence. */
type Holes<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never
type Put<S extends string, V> = [Holes<S>] extends [never] ? [] : [put: Record<Holes<S>, V>]

/** What is said in place of each English sentence; nothing while English is spoken. */
let spoken: Record<string, string> = {}

/**
 * A sentence of the page in the language chosen. The English one is its own name in the catalogue, so it is written
 * where it is read, and said in English where a language has none of its own yet.
 */
export function say<S extends string>(sentence: S | Sentence<S>, ...put: Put<S, string | number>): string
export function say<S extends string>(sentence: S | Sentence<S>, ...put: Put<S, ReactNode>): ReactNode
export function say(english: unknown, put?: Record<string, ReactNode>): ReactNode {
  const words = spoken[english as string] ?? (english as string)
  if (!put) return words
  const parts = words.split(/\{(\w+)\}/).map((part, n) => (n % 2 === 0 ? part : put[part]))
  return parts.some((part) => typeof part === 'object')
    ? createElement(Fragment, null, ...parts)
    : parts.join('')
}

/** Names a sentence where no language is known yet: what stands outside of components is made once. */
export const sentence = <S extends string>(english: S) => english as unknown as Sentence<S>

/** From here on sentences are said in these words. */
export const speak = (words: Record<string, string>) => (spoken = words)
