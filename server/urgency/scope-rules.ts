import { AND, type Found, findPhrase, type Phrase, type Places, type Words } from './phrase-rules.ts'

const NEGATION_REACH = 4
/** A clause isn't about somebody who appears later than this in it: "he licked what my dad put out". */
const SUBJECT_WITHIN = 4

/** After these "he" begins nothing new: "what if he fits", "how long can he". */
const TIES = new Set(
  (
    'if case suppose supposing imagine say when whenever whether while because since until before after as how why what where who wanneer of omdat terwyl sodat vandat ' +
    'voor nadat hoe hoekom wat waar nou ingeval uma is are was were can could will would should must may might do does did has had am kan mag sal moet het'
  ).split(' '),
)
/** These begin something new as "he" does. */
const STARTS = new Set(['i', 'im', 'ive', 'we', 'weve', 'how', 'what', 'which'])
/** And so do these after "and", of the same animal: "was hit last year and is limping". */
const PRESENT = new Set(['is', 'are', 'isnt', 'cant', 'cannot', 'wont', 'keeps', 'doesnt', 'has'])
const AGAIN = new Set(['again', 'weer', 'futhi'])
/** "Recovered from his op" says nothing about the words before it. */
const ABOUT = new Set(['from', 'of', 'for', 'van', 'vir'])

/** In "while playing with my son he collapsed" the son is only there. In "ate the neighbours slug pellets" they only owned them. */
const IS_THERE = /\b(?:with|near|beside|behind)(?: \S+)?$/
const IS_THEIRS =
  /\b(?:into|ate|eats|eaten|drank|drinks|swallowed|licked|chewed|gulped|eet|vreet)(?: \S+)?$|\b(?:hy|sy|hond|kat) het(?: die| my)?$/

/** "A dog" is any dog; "dog ate slug bait" is the owner’s. */
const ANY = new Set(['a', 'an', 'any', 'every', 'n'])

/** The lists of a rule set that tell what a phrase is about. */
export const CUES = [
  'negation',
  'negation_after',
  'endless',
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
  const scene = sceneOf(read, found, cues, seen)
  const past = scene.past.map((cue) => reachOf(scene, cue, seen))
  const isDenied = (match: Found) => isNegated(scene, match) || isNegatedAfter(scene, match)
  const isTold = (match: Found) =>
    !past.some((reach) => isWithin(match, reach)) &&
    !isOver(scene, match) &&
    !isAskedInGeneral(scene, match) &&
    !isErrand(scene, match, isDenied) &&
    !isAsked(scene, match)
  /** In "how deadly is rat bait he ate some" the first part is a question and the last one is a statement. */
  const counts = (parts: Found[]) =>
    parts.every((one) => !isDenied(one) && !isAnothers(scene, one)) &&
    isTold(parts.reduce((last, one) => (one.start > last.start ? one : last)))
  return { isDenied, counts, heads: scene.heads }
}

type Scene = ReturnType<typeof sceneOf>

/** Where a text has words that decide what its signs mean, and where its parts begin. */
function sceneOf(read: Words, found: Places, cues: Cues, seen: Found[]) {
  const at = (phrases: Phrase[]) =>
    phrases.flatMap((phrase) => {
      const all = findPhrase(phrase, read, found).map(([part]) => part!)
      // In "she is fitting is it safe" only the second "is" asks.
      return all.filter((one) => !all.some(({ start, end }) => end === one.end && start > one.start))
    })
  const usedBySigns = new Set(seen.flatMap(({ used }) => used))
  const unused = ({ used }: Found) => !used.some((place) => usedBySigns.has(place))
  const endless = at(cues.endless)
  const places = {
    negation: at(cues.negation).filter(
      ({ used }) => !endless.some((cue) => used.some((place) => cue.used.includes(place))),
    ),
    negationAfter: at(cues.negation_after).filter(unused),
    endless,
    past: at(cues.past).filter(unused),
    over: at(cues.over).filter(({ end }) => !ABOUT.has(read.words[end]!)),
    now: at(cues.now),
    asking: at(cues.asking),
    errands: at(cues.errands),
    questions: at(cues.questions).filter(({ start }) => read.clause[start - 1] !== read.clause[start]),
    pets: at(cues.pets).filter(({ start }) => !ANY.has(read.words[start - 1]!)),
    subjects: at(cues.subjects),
    others: at(cues.others).filter(({ start }) => {
      const before = read.words.slice(Math.max(0, start - 3), start).join(' ')
      return !IS_THERE.test(before) && !IS_THEIRS.test(before)
    }),
    ours: at(cues.ours),
  }
  const { asking, errands, past, over, others, subjects } = places

  const inside = new Set([asking, errands, past, over, others].flat().flatMap(({ used }) => used.slice(1)))
  const subjectAt = new Set(subjects.map(({ start }) => start))
  const beganBy = (begins: (place: number) => boolean) => {
    let begun = 0
    return read.words.map((_, place) => (begins(place) ? ++begun : begun))
  }
  /** People who type without commas begin a new part with a subject: "we got him last year he cannot breathe". */
  const heads = beganBy(
    (place) =>
      (subjectAt.has(place) || STARTS.has(read.words[place]!)) &&
      !TIES.has(read.words[place - 1]!) &&
      !inside.has(place) &&
      !others.some(({ end }) => end === place),
  )
  const isHead = (place: number) => heads[place] !== (heads[place - 1] ?? 0)
  const turns = beganBy(
    (place) => isHead(place) || (read.words[place - 1] === 'and' && PRESENT.has(read.words[place]!)),
  )
  const nowAt = new Set(places.now.flatMap(({ used }) => used))
  /** The last word of each sentence that says more than "and" or when. */
  const lastSaid = new Map<number, number>()
  for (const [place, word] of read.words.entries())
    if (word && !AND.has(word) && !nowAt.has(place)) lastSaid.set(read.sentence[place]!, place)
  /** The first "and" from each word on. */
  const nextAnd: number[] = []
  for (let place = read.words.length - 1, next = Infinity; place >= 0; place--)
    nextAnd[place] = next = AND.has(read.words[place]!) ? place : next
  return { ...places, read, unused, heads, isHead, turns, lastSaid, nextAnd }
}

const isInPart = ({ read }: Scene, parts: number[], place: number, other: number) =>
  parts[place] === parts[other] && read.clause[place] === read.clause[other]
const isWhole = (scene: Scene, { start, end }: Found) => isInPart(scene, scene.heads, start, end - 1)
const inSentence =
  ({ read }: Scene, match: Found) =>
  (cue: Found) =>
    read.sentence[cue.start] === read.sentence[match.start]
const clauseOf = ({ read }: Scene, { start }: Found) => read.clause[start]!
const isWithin = ({ start }: Found, [from, to]: [number, number]) => start >= from && start < to

function isNegated(scene: Scene, match: Found) {
  const { read, negation, unused, turns } = scene
  return negation.some(
    (cue) =>
      // "Not breathing" is a sign, and its "not" still says that he isn't "breathing fine".
      (unused(cue) || cue.end === match.start) &&
      cue.end <= match.start &&
      match.start - cue.end < NEGATION_REACH &&
      reaches(read, cue.start, match.start) &&
      (isInPart(scene, turns, cue.start, match.start) || clauseOf(scene, cue) !== clauseOf(scene, match)),
  )
}

function isNegatedAfter(scene: Scene, match: Found) {
  const { read, negation, negationAfter, endless } = scene
  // In "geen keutels nie" and "hou nie op braak nie" the last word only completes another.
  if (negation.some(({ used }) => used.some((place) => match.used.includes(place)))) return false
  if (endless.some((cue) => clauseOf(scene, cue) === clauseOf(scene, match))) return false
  return negationAfter.some(
    (cue) =>
      cue.start >= match.end &&
      cue.start - match.end < 2 &&
      clauseOf(scene, cue) === read.clause[match.end - 1],
  )
}

const saysNow = (scene: Scene, match: Found) => scene.now.some(inSentence(scene, match))

const isOver = (scene: Scene, match: Found) =>
  !saysNow(scene, match) && scene.over.some((cue) => inSentence(scene, match)(cue) && cue.start >= match.end)

/** "What goes in a snake bite kit" has no animal and no time; "how fast is slug bait, he had some" does. */
function isAskedInGeneral(scene: Scene, match: Found) {
  const { questions, subjects, ours, now, pets } = scene
  const isNear = inSentence(scene, match)
  return questions.some(
    (cue) =>
      isNear(cue) &&
      cue.start <= match.start &&
      !subjects.some((word) => word.start >= cue.end && isNear(word)) &&
      ![ours, now, pets].flat().some((word) => word.start >= cue.end && word.start < match.end),
  )
}

/** In "what does the plan pay, she cannot breathe" and "on a road trip and he has bloat" a part says how the animal is. */
function isErrand(scene: Scene, match: Found, isDenied: (cue: Found) => boolean) {
  const { read, errands, subjects, pets } = scene
  const clause = clauseOf(scene, match)
  const isApart = (cue: Found) => {
    const isBefore = clause === clauseOf(scene, cue) && cue.start < match.start
    const from = isBefore ? cue.end : read.clause.indexOf(clause)
    return [...subjects, ...pets].some(({ start }) => start >= from && start < match.end)
  }
  const isNear = inSentence(scene, match)
  return !saysNow(scene, match) && errands.some((cue) => isNear(cue) && !isDenied(cue) && !isApart(cue))
}

const isAsked = (scene: Scene, match: Found) =>
  scene.asking.some(
    (cue) =>
      (cue.start <= match.start &&
        isWhole(scene, cue) &&
        isInPart(scene, scene.heads, cue.start, match.end - 1)) ||
      (clauseOf(scene, cue) !== clauseOf(scene, match) && cue.start > match.start && cue.start < match.end),
  )

/** In "drank my neighbour's antifreeze" the neighbour comes too late to be the one who drank it. */
function isAnothers(scene: Scene, match: Found) {
  const { read, others, ours, heads } = scene
  const clause = clauseOf(scene, match)
  return others.some(
    (cue) =>
      isWhole(scene, cue) &&
      isInPart(scene, heads, cue.start, match.start) &&
      cue.start <= match.start &&
      cue.start - read.clause.indexOf(clause) < SUBJECT_WITHIN &&
      !ours.some(
        (own) => clauseOf(scene, own) === clause && own.start >= cue.end && own.start < match.end + 3,
      ),
  )
}

/**
 * The words that a past cue is about: those of its part, and of the next one if it opens with the cue: "last year he fitted".
 * In "was hit last year and limps now" it ends at "and", in "last year now he limps" at "now"; "last year and now again" isn't past.
 */
function reachOf(scene: Scene, cue: Found, seen: Found[]): [from: number, to: number] {
  const { read, turns, isHead, now, lastSaid, nextAnd } = scene
  const endOf = (place: number) =>
    read.words.findLastIndex((_, other) => isInPart(scene, turns, other, place)) + 1
  let from = read.words.findIndex((_, place) => isInPart(scene, turns, place, cue.start))
  let to = endOf(from)
  const opens = !isHead(from) && read.words.slice(from, cue.start).every((word) => AND.has(word))
  if (opens && read.sentence[to] === read.sentence[from] && !seen.some((one) => isWithin(one, [cue.end, to])))
    to = endOf(to)
  const said = lastSaid.get(read.sentence[cue.start]!) ?? -1
  for (const { start } of now.filter(
    (word) => word.start >= from && clauseOf(scene, word) === clauseOf(scene, cue),
  )) {
    const [left, right] = [Math.min(start, cue.start), Math.max(start, cue.start)]
    const and = nextAnd[left]!
    const isJoined = and < right
    const end = isJoined ? and : start
    if (start < cue.start && isJoined) from = and
    else if (start < cue.start || AGAIN.has(read.words[start]!)) return [0, 0]
    else if (start < to && said < end) return [0, 0]
    else to = Math.min(to, end)
  }
  return [from, to]
}

/** A negation ends at a comma, unless the comma belongs to a list that ends with "or". */
function reaches(read: Words, from: number, to: number) {
  if (read.clause[from] === read.clause[to]) return true
  if (read.sentence[from] !== read.sentence[to]) return false
  const listEnd = read.words
    .slice(from, to + 4)
    .some((word, more) => (word === 'or' || word === 'nor') && from + more <= to + 3)
  return listEnd && read.clause[to]! - read.clause[from]! <= 3
}
