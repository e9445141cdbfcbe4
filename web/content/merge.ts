import type { Words } from '#contract/content.ts'

/** A part that both texts have, or one that differs. */
export type Part = { both: string } | { mine: string; theirs: string }

const sentences = (text: string): string[] =>
  [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)].map(({ segment }) => segment)

/** Compares two texts sentence by sentence. Shared sentences keep their order. */
export function sideBySide(mine: string, theirs: string): Part[] {
  const [a, b] = [sentences(mine), sentences(theirs)]
  const longest = a.map(() => b.map(() => 0))
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i]![j] =
        a[i]!.trim() === b[j]!.trim() ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const parts: Part[] = []
  const differ = (side: 'mine' | 'theirs', sentence: string) => {
    const last = parts.at(-1)
    const open = last && 'mine' in last ? last : { mine: '', theirs: '' }
    if (open !== last) parts.push(open)
    open[side] += sentence
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length)
    if (i < a.length && j < b.length && a[i]!.trim() === b[j]!.trim()) {
      parts.push({ both: a[i]! })
      i++
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) differ('mine', a[i++]!)
    else differ('theirs', b[j++]!)
  return parts
}

export type Choice = 'mine' | 'theirs'

export interface Difference {
  field: string
  parts: Part[]
  /** The author's choice for each part, by its index. A part that only one of them changed is already chosen. */
  chosen: Record<number, Choice>
}

/** The fields in which two versions differ, given the one that both began with. */
export function differences(base: Words | null, mine: Words, theirs: Words): Difference[] {
  return Object.keys(mine)
    .filter((field) => mine[field] !== theirs[field])
    .map((field) => {
      const before = String(base?.[field] ?? '')
      const parts = sideBySide(String(mine[field] ?? ''), String(theirs[field] ?? ''))
      const wasThere = (words: string) => before.includes(words.trim())
      const chosen: Record<number, Choice> = {}
      for (const [n, part] of parts.entries())
        if (!('mine' in part)) continue
        else if (mine[field] === base?.[field]) chosen[n] = 'theirs'
        else if (theirs[field] === base?.[field]) chosen[n] = 'mine'
        else if (part.mine.trim() !== '' && wasThere(part.mine)) chosen[n] = 'theirs'
        else if (part.theirs.trim() !== '' && wasThere(part.theirs)) chosen[n] = 'mine'
      return { field, parts, chosen }
    })
}

export const isChosen = ({ parts, chosen }: Difference) =>
  parts.every((part, n) => 'both' in part || chosen[n])

/** The words with the chosen parts. Values that aren't text are taken whole. */
export function merged(mine: Words, theirs: Words, all: Difference[]): Words {
  const words = { ...mine }
  for (const { field, parts, chosen } of all)
    words[field] =
      typeof mine[field] === 'string' && typeof theirs[field] === 'string'
        ? parts.map((part, n) => ('both' in part ? part.both : part[chosen[n] ?? 'mine'])).join('')
        : Object.values(chosen)[0] === 'theirs'
          ? theirs[field]!
          : mine[field]!
  return words
}
