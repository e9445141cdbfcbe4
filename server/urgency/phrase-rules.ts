/*
 * Finds phrases in what an owner wrote.
 *
 * A phrase is a few terms in order, with at most two other words between them: "hit by car". A term is a word, the beginning,
 * end or middle of one (vomit*, *phefumul*), or a group of words (@pee). "…" allows more words between. "a + b" means both,
 * near each other, in any order; "a & b" means both, anywhere.
 */

/** We read longer texts only up to here. */
const MOST_WORDS = 600
/** The same for words, because a letter that is held down would be compared in thousands of ways. */
const LONGEST_WORD = 60
const GAP = 2
const WIDE_GAP = 7
const NEAR = 4

export interface Words {
  words: string[]
  /** As they were written. */
  written: string[]
  /** Number of the sentence and of the clause that each word is in. */
  sentence: number[]
  clause: number[]
}
/** A place where a term or phrase was found: its first word, the one after its last, and all words that belong to it. */
export interface Found {
  start: number
  end: number
  used: number[]
}
export interface Step {
  term: string
  gap: number
}
/** Every part must be found. `near` is within how many words of the part before. */
export interface Phrase {
  parts: { steps: readonly Step[]; near: number }[]
}

export const foldWord = (word: string) =>
  word
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’‘`´]/g, '')
    .toLowerCase()

const TOKEN = /[\p{L}\p{N}]+(?:['’‘`´][\p{L}]+)*|['’‘`´]n(?![\p{L}])|[.,;:!?()\n–—]|\s-\s/gu

export function wordsOf(text: string, breaks: ReadonlySet<string>): Words {
  const read: Words = { words: [], written: [], sentence: [], clause: [] }
  let [sentence, clause] = [0, 0]
  const plain = text
    .replace(/(\d)[.,:](\d)/g, '$1$2')
    // "She is dying... of boredom" is one sentence.
    .replace(/(?:(?<!\.)\.{2,}|…)(?=\s*\p{Ll})/gu, ',')
  for (const [written] of plain.matchAll(TOKEN)) {
    if (/^[.!?\n]$/.test(written)) {
      sentence++
      clause++
    } else if (/^(?:[,;:()–—]|\s-\s)$/.test(written)) clause++
    else {
      const word = foldWord(written.slice(0, LONGEST_WORD))
      if (breaks.has(word)) clause++
      read.words.push(word)
      read.written.push(written)
      read.sentence.push(sentence)
      read.clause.push(clause)
      if (read.words.length === MOST_WORDS) break
    }
  }
  return read
}

export function phraseOf(written: string): Phrase {
  const parts: Phrase['parts'] = []
  let near = 0
  for (const piece of written.split(/\s+([+&])\s+/)) {
    if (piece === '+' || piece === '&') {
      near = piece === '+' ? NEAR : Infinity
      continue
    }
    parts.push({ steps: stepsOf(piece), near })
  }
  return { parts }
}
/** Phrases that share a part share its steps, so that a text is searched for them once. */
const stepsSeen = new Map<string, readonly Step[]>()
function stepsOf(piece: string): readonly Step[] {
  const before = stepsSeen.get(piece)
  if (before) return before
  const steps: Step[] = []
  let gap = GAP
  for (const term of piece.split(/\s+/)) {
    if (term === '…') {
      gap = WIDE_GAP
      continue
    }
    steps.push({ term: term.startsWith('@') ? term : foldWord(term), gap })
    gap = GAP
  }
  stepsSeen.set(piece, steps)
  return steps
}

/** One letter left out, in each place. */
export const shortened = (word: string) =>
  Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)).concat(word)

/** One letter too many, too few, wrong, or two swapped. The first letter is nearly always right. */
export function isSlip(word: string, term: string) {
  if (word[0] !== term[0]) return false
  let at = 0
  while (at < word.length && word[at] === term[at]) at++
  const [rest, wanted] = [word.slice(at), term.slice(at)]
  return (
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted.slice(1) ||
    (rest.slice(2) === wanted.slice(2) && rest[0] === wanted[1] && rest[1] === wanted[0])
  )
}

export interface Places {
  terms: Map<string, Found[]>
  /** Parts of phrases that were searched for. */
  parts: Map<readonly Step[], Found[]>
}
/** The members of groups by their first word. */
export type Members = ReadonlyMap<string, { group: string; rest: string[] }[]>

export function placesIn(read: Words, lookUp: (word: string) => readonly string[], members: Members): Places {
  const places: Places = { terms: new Map(), parts: new Map() }
  const add = (term: string, place: Found) => {
    const list = places.terms.get(term)
    if (list) list.push(place)
    else places.terms.set(term, [place])
  }
  const terms = read.words.map(lookUp)
  terms.forEach((found, at) => {
    for (const term of found) {
      add(term, { start: at, end: at + 1, used: [at] })
      for (const { group, rest } of members.get(term) ?? [])
        if (rest.every((next, more) => terms[at + more + 1]?.includes(next))) {
          const used = Array.from({ length: rest.length + 1 }, (_, more) => at + more)
          add(group, { start: at, end: at + used.length, used })
        }
    }
  })
  return places
}

/** Each way in which all parts of a phrase are in the text. */
export function findPhrase({ parts }: Phrase, read: Words, found: Places): Found[][] {
  for (const { steps } of parts) for (const { term } of steps) if (!found.terms.has(term)) return []
  if (parts.length === 1) return placesOf(parts[0]!.steps, read, found).map((place) => [place])
  let ways: Found[][] = [[]]
  for (const { steps, near } of parts) {
    const places = placesOf(steps, read, found)
    if (places.length === 0) return []
    ways = ways.flatMap((way) => {
      const last = way.at(-1)
      return places
        .filter(
          (place) =>
            !last ||
            (!place.used.some((at) => last.used.includes(at)) &&
              (near === Infinity ||
                (read.sentence[place.start] === read.sentence[last.start] &&
                  Math.max(place.start - last.end, last.start - place.end) <= near))),
        )
        .slice(0, 4)
        .map((place) => [...way, place])
    })
  }
  return ways
}

function placesOf(steps: readonly Step[], read: Words, found: Places): Found[] {
  const known = found.parts.get(steps)
  if (known) return known
  const places = findSteps(steps, read, found)
  found.parts.set(steps, places)
  return places
}

function findSteps(steps: readonly Step[], read: Words, found: Places): Found[] {
  let places = found.terms.get(steps[0]!.term)!
  for (const { term, gap } of steps.slice(1)) {
    const next = found.terms.get(term)!
    places = places.flatMap((before) => {
      const after = firstAfter(next, before, gap, read)
      return after ? [{ start: before.start, end: after.end, used: [...before.used, ...after.used] }] : []
    })
  }
  return places
}

/** Places are in the order of the text, so the search ends at the end of the gap. */
function firstAfter(places: readonly Found[], before: Found, gap: number, read: Words): Found | undefined {
  for (const place of places) {
    if (place.start < before.end) continue
    if (place.start - before.end > gap || read.sentence[place.start] !== read.sentence[before.start])
      return undefined
    if (isDeniedBetween(read, before.end, place.start)) return undefined
    if (gap > GAP || isJoined(read, before.end, place.start)) return place
  }
  return undefined
}

export const AND = new Set(['and', 'en', 'kanye', 'futhi'])
const NONE = new Set('no not isnt hasnt wont cant didnt doesnt never without geen sonder akukho'.split(' '))
/** No comma, "but" or "and" is between two words. */
const isJoined = ({ clause, words }: Words, end: number, start: number) =>
  clause[end - 1] === clause[start] && !words.slice(end, start).some((word) => AND.has(word))
/** "Diarrhoea but no blood" isn't diarrhoea with blood. */
const isDeniedBetween = ({ words }: Words, end: number, start: number) =>
  words.slice(end, start).some((word) => NONE.has(word))
