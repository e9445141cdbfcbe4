import { AND, type Found, findPhrase, type Phrase, type Places, type Words } from './phrase-rules.ts'

const NEGATION_REACH = 4
/** Somebody who is named later than this in a clause isn't what it is about: "he licked what my dad put out". */
const SUBJECT_WITHIN = 4

/** "A dog" is any dog; "dog ate slug bait" is the owner’s. */
const ANY = new Set(['a', 'an', 'any', 'every', 'n'])

/** The lists of a rule set that say what a phrase is said of. */
export const CUES = [
  'negation',
  'negation_after',
  'past',
  'over',
  'now',
  'asking',
  'errands',
  'questions',
  'pets',
  'subjects',
  'others',
  'ours',
] as const
export type Cues = Record<(typeof CUES)[number], Phrase[]>

/** Says whether what was found is denied, and whether it counts: about this animal, now, neither denied nor asked in advance. */
export function scopeOf(read: Words, found: Places, cues: Cues, seen: Found[]) {
  const at = (phrases: Phrase[]) =>
    phrases.flatMap((phrase) => findPhrase(phrase, read, found)).map(([part]) => part!)
  const clauseOf = ({ start }: Found) => read.clause[start]
  const usedBySigns = new Set(seen.flatMap(({ used }) => used))
  const unused = ({ used }: Found) => !used.some((place) => usedBySigns.has(place))
  const negations = at(cues.negation)
  const isNegative = new Set(negations.flatMap(({ used }) => used))
  const before = negations.filter(unused)
  const after = at(cues.negation_after).filter(unused)
  const now = at(cues.now)
  const past = at(cues.past)
    .filter(unused)
    .map(reachOf)
    .filter((reach) => !now.some((word) => isWithin(word, reach)))
  const over = at(cues.over)
  const asking = at(cues.asking)
  const errands = at(cues.errands)
  const questions = at(cues.questions).filter(({ start }) => read.clause[start - 1] !== read.clause[start])
  const pets = at(cues.pets).filter(({ start }) => !ANY.has(read.words[start - 1]!))
  const subjects = at(cues.subjects)
  const others = at(cues.others)
  const ours = at(cues.ours)

  const isDenied = (match: Found) =>
    before.some(
      (cue) =>
        cue.end <= match.start &&
        match.start - cue.end < NEGATION_REACH &&
        reaches(read, cue.start, match.start),
    ) ||
    // In "geen keutels nie" the second word only closes what the first one said.
    (!match.used.some((place) => isNegative.has(place)) &&
      after.some(
        (cue) =>
          cue.start >= match.end && cue.start - match.end < 2 && clauseOf(cue) === read.clause[match.end - 1],
      ))
  const counts = (match: Found): boolean => {
    if (isDenied(match)) return false
    const clause = clauseOf(match)
    if (past.some((reach) => isWithin(match, reach))) return false
    const inSentence = ({ start }: Found) => read.sentence[start] === read.sentence[match.start]
    const isNow = now.some(inSentence)
    if (!isNow && over.some((cue) => inSentence(cue) && cue.start >= match.end)) return false
    if (questions.some((cue) => inSentence(cue) && cue.start <= match.start && isGeneral(cue, match)))
      return false
    if (!isNow && errands.some((cue) => inSentence(cue) && !isDenied(cue) && !isTold(cue, match)))
      return false
    const isAsked = asking.some(
      (cue) =>
        (clauseOf(cue) === clause &&
          cue.start <= match.start &&
          !subjects.some(({ start }) => start > cue.end && start <= match.start)) ||
        (clauseOf(cue) !== clause && cue.start > match.start && cue.start < match.end),
    )
    if (isAsked) return false
    return !others.some(
      (cue) =>
        clauseOf(cue) === clause &&
        cue.start < match.end &&
        cue.start - read.clause.indexOf(clause!) < SUBJECT_WITHIN &&
        !ours.some((own) => clauseOf(own) === clause && own.start >= cue.end && own.start < match.end + 3),
    )
  }
  return { isDenied, counts }

  /** "What goes in a snake bite kit" names no animal and no moment; "how fast is slug bait, he had some" does. */
  function isGeneral(question: Found, match: Found) {
    const isAfter = ({ start }: Found) => start >= question.end
    return (
      !subjects.some((word) => isAfter(word) && read.sentence[word.start] === read.sentence[match.start]) &&
      ![ours, now, pets].some((cue) => cue.some((word) => isAfter(word) && word.start < match.end))
    )
  }

  /** In "what does the plan pay, she cannot breathe" and "on a road trip and he has bloat" a part says how the animal is. */
  function isTold(errand: Found, match: Found) {
    const clause = clauseOf(match)
    const from =
      clause === clauseOf(errand) && errand.start < match.start ? errand.end : read.clause.indexOf(clause!)
    return [...subjects, ...pets].some(({ start }) => start >= from && start < match.end)
  }

  /** The words of its clause that a past cue speaks of: in "was hit last year and limps now" it ends at "and". */
  function reachOf(cue: Found): [from: number, to: number] {
    const clause = clauseOf(cue)
    let [from, to] = [read.clause.indexOf(clause!), read.clause.lastIndexOf(clause!) + 1]
    for (const { start } of now.filter((word) => clauseOf(word) === clause))
      for (let place = Math.min(start, cue.start); place < Math.max(start, cue.start); place++)
        if (AND.has(read.words[place]!)) {
          if (place > cue.start) to = Math.min(to, place)
          else from = Math.max(from, place)
        }
    return [from, to]
  }
}

const isWithin = ({ start }: Found, [from, to]: [number, number]) => start >= from && start < to

/** A negation ends at a comma, unless the comma belongs to a list that ends with "or". */
function reaches(read: Words, from: number, to: number) {
  if (read.clause[from] === read.clause[to]) return true
  if (read.sentence[from] !== read.sentence[to]) return false
  const listEnd = read.words
    .slice(from, to + 4)
    .some((word, more) => (word === 'or' || word === 'nor') && from + more <= to + 3)
  return listEnd && read.clause[to]! - read.clause[from]! <= 3
}
