import { BUILT_IN_QUESTIONS } from '../built-in-questions.ts'

const LONG = 'how-long-does-a-consult-take'
const builtIn = BUILT_IN_QUESTIONS[LONG]!
const edited = {
  ...builtIn,
  answer:
    'A session takes about 20 minutes. The vet doesn’t watch the clock; the price stays the same, however long it takes.',
}

const ALWAYS = { weekdays: 'all day', saturday: 'all day', sunday: 'all day' }
const AT_NIGHT = { weekdays: '18:00-08:00', saturday: '08:00-08:00', sunday: '08:00-08:00' }
const LATE = { weekdays: '08:00-22:00', saturday: '08:00-22:00', sunday: 'closed' }

const CAPE_TOWN = { region: 'za', area: 'Cape Town' }
const JOHANNESBURG = { region: 'za', area: 'Johannesburg' }
const DURBAN = { region: 'za', area: 'Durban' }
const SYDNEY = { region: 'au', area: 'Sydney' }

/** Their phone numbers belong to nobody. */
const EMERGENCY_CLINICS = [
  { name: 'Milkwood Animal Hospital', ...CAPE_TOWN, place: 'Parow', phone: '021 555 0142', ...ALWAYS },
  { name: 'Blue Crane Night Vets', ...CAPE_TOWN, place: 'Claremont', phone: '021 555 0177', ...AT_NIGHT },
  { name: 'Lavender Late Clinic', ...CAPE_TOWN, place: 'Somerset West', phone: '021 555 0108', ...LATE },
  { name: 'Jacaranda Animal Hospital', ...JOHANNESBURG, place: 'Randburg', phone: '011 555 0131', ...ALWAYS },
  { name: 'Weaver Night Vets', ...JOHANNESBURG, place: 'Boksburg', phone: '011 555 0164', ...AT_NIGHT },
  { name: 'Sugarbird Animal Hospital', ...DURBAN, place: 'Westville', phone: '031 555 0119', ...ALWAYS },
  { name: 'Fig Tree Animal Hospital', ...SYDNEY, place: 'Artarmon', phone: '02 5550 0142', ...ALWAYS },
]

/** What the demo's admin has published, and how many days ago. */
export const VERSIONS = [
  { kind: 'question' as const, item: LONG, number: 0, words: builtIn, what: 'As it was', daysAgo: 21 },
  {
    kind: 'question' as const,
    item: LONG,
    number: 1,
    words: edited,
    what: 'Says that a long consult costs no more',
    daysAgo: 20,
  },
  { kind: 'question' as const, item: LONG, number: 2, words: builtIn, what: 'Shorter again', daysAgo: 6 },
  ...EMERGENCY_CLINICS.map((words, n) => ({
    kind: 'emergency_clinic' as const,
    item: `example-${n + 1}`,
    number: 1,
    words: { ...words, name: `${words.name} (example)` },
    what: 'First version',
    daysAgo: 12,
  })),
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
