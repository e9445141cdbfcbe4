import { HOUSE_QUESTIONS } from '../house-questions.ts'

const LONG = 'how-long-does-a-consult-take'
const house = HOUSE_QUESTIONS[LONG]!
const edited = {
  ...house,
  answer:
    'A session takes about 20 minutes. The vet doesn’t watch the clock; the price stays the same, however long it takes.',
}

/** What the demo's admin has published, with the days since. */
export const VERSIONS = [
  { item: LONG, number: 0, words: house, what: 'As it was', daysAgo: 21 },
  { item: LONG, number: 1, words: edited, what: 'Says that a long consult costs no more', daysAgo: 20 },
  { item: LONG, number: 2, words: house, what: 'Shorter again', daysAgo: 6 },
]

/** What the demo's admin is still writing. */
export const DRAFTS = [
  {
    item: 'dog-ate-chocolate',
    words: {
      topic: 'The consult',
      question: 'My dog ate chocolate. What now?',
      answer:
        'Tell a vet what kind it was, how much is missing, when it was eaten and what your dog weighs. Keep the wrapper.',
      clinical: true,
    },
    daysAgo: 4,
  },
]

/** How many of the oldest resources the demo's vet has reviewed. */
export const REVIEWED = 3
