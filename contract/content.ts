import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { id, isoTime, keyOf, nothing, optionalText, sentTime, text, whole } from './fields.ts'
import { hoursOf } from './opening-hours.ts'
import { REGION_IDS, timeZoneOf } from './regions.ts'

/* What admins write for the public pages and for vets, with its drafts and versions. */

export const CONTENT_KINDS = [
  'question',
  'advice',
  'partner',
  'testimonial',
  'announcement',
  'reply',
  'emergency_clinic',
  'legal',
] as const
export type ContentKind = (typeof CONTENT_KINDS)[number]

export const TOPICS = ['The consult', 'Price and membership', 'Phone, data and privacy'] as const

/** Placeholders that an answer may use. Each page fills them in from its region's table, so they stay right. */
export const PLACES = [
  'within',
  'when open',
  'promise minutes',
  'regulator',
  'consult',
  'annual',
  'monthly',
  'cover',
  'care plan and gift',
] as const
export type Place = (typeof PLACES)[number]

const PLACE = /\{([^{}]*)\}/g
/** The placeholders in a text that no page can fill in. */
const unknownPlaces = (answer: string): string[] =>
  [...answer.matchAll(PLACE)].map(([, name]) => name!).filter((name) => !PLACES.includes(name as Place))

export const filledIn = (answer: string, facts: Record<Place, string>): string =>
  answer.replace(PLACE, (whole, name: Place) => facts[name] ?? whole)

const address = (pattern: RegExp) =>
  z
    .string()
    .trim()
    .max(500, { error: sentenceOf('TEXT_TOO_LONG') })
    .regex(pattern, { error: sentenceOf('CONTENT_ADDRESS_WRONG') })

/** A path on our site, or an https address. */
const OURS_OR_SAFE = /^(\/(?![/\\])|https:\/\/[^\s/])\S*$/

const hours = text(20, sentenceOf('CONTENT_MISSING')).refine((said) => hoursOf(said) !== undefined, {
  error: sentenceOf('CONTENT_HOURS_WRONG'),
})

/** What a version needs before it is published. A draft may contain anything. */
export const CONTENT_WORDS = {
  question: z.object({
    topic: z.enum(TOPICS, { error: sentenceOf('CONTENT_MISSING') }),
    question: text(150, sentenceOf('CONTENT_MISSING')),
    answer: text(2000, sentenceOf('CONTENT_MISSING')).refine((answer) => unknownPlaces(answer).length === 0, {
      error: sentenceOf('CONTENT_PLACE_UNKNOWN'),
    }),
    /** It advises about an animal, so a vet reviews each version. */
    clinical: z.boolean(),
  }),
  /** One point per line. */
  advice: z.object({ lines: text(2000, sentenceOf('CONTENT_MISSING')) }),
  partner: z.object({
    name: text(100, sentenceOf('CONTENT_MISSING')),
    blurb: optionalText(300),
    url: address(/^https:\/\/\S+$/),
  }),
  testimonial: z.object({
    kind: z.enum(['carer', 'clinic'], { error: sentenceOf('CONTENT_MISSING') }),
    name: text(100, sentenceOf('CONTENT_MISSING')),
    text: text(2000, sentenceOf('CONTENT_MISSING')),
    image: z.union([z.literal(''), address(/^\/(?![/\\])\S+$/)]),
    rating: z.number().int().min(1).max(5).nullable(),
  }),
  announcement: z.object({
    text: text(300, sentenceOf('CONTENT_MISSING')),
    href: z.union([z.literal(''), address(OURS_OR_SAFE)]),
  }),
  reply: z.object({
    title: text(60, sentenceOf('CONTENT_MISSING')),
    body: text(2000, sentenceOf('CONTENT_MISSING')),
  }),
  /** Where an owner can go with an emergency. */
  emergency_clinic: z
    .object({
      name: text(100, sentenceOf('CONTENT_MISSING')),
      region: z.enum(REGION_IDS, { error: sentenceOf('CONTENT_MISSING') }),
      /** A town with the same time. Empty for the region's own time zone. */
      zone: z.string().default(''),
      /** A town and its surroundings. Owners choose a clinic by it. */
      area: text(40, sentenceOf('CONTENT_MISSING')),
      place: text(60, sentenceOf('CONTENT_MISSING')),
      phone: text(20, sentenceOf('CONTENT_MISSING')).regex(/^\+?\d( ?\d){8,14}$/, {
        error: sentenceOf('CONTENT_PHONE_WRONG'),
      }),
      weekdays: hours,
      saturday: hours,
      /** Also for public holidays. */
      sunday: hours,
    })
    .refine(({ region, zone }) => timeZoneOf(region, zone) !== undefined, {
      path: ['zone'],
      error: sentenceOf('CONTENT_ZONE_WRONG'),
    }),
  legal: z.object({
    by: text(100, sentenceOf('CONTENT_MISSING')),
    on: text(10, sentenceOf('CONTENT_MISSING')).refine((on) => !Number.isNaN(Date.parse(on)), {
      error: sentenceOf('CONTENT_DATE_WRONG'),
    }),
    /** The version that the reviewer read; a later one needs a new review. */
    version: text(20, sentenceOf('CONTENT_MISSING')),
  }),
} as const satisfies Record<ContentKind, z.ZodType>

/** The words of one item, by field. */
const Words = z.record(z.string().max(20), z.union([optionalText(5000), z.number(), z.boolean(), z.null()]))
export type Words = z.infer<typeof Words>

const inOrder = (words: Words | null) => JSON.stringify(Object.entries(words ?? {}).toSorted())
export const areSame = (one: Words | null, other: Words | null) => inOrder(one) === inOrder(other)

/** Advice about an animal needs a vet's review. A canned reply doesn't: the vet who sends it reads it. */
export const isClinical = (kind: ContentKind, words: Words | null) =>
  kind === 'advice' || (kind === 'question' && words?.['clinical'] === true)

/** Lists of advice on several pages. They can be changed, but none can be added. */
export const ADVICE = {
  signs: 'Signs that can’t wait',
  offline: 'What to do while you’re offline',
} as const
export type AdviceName = keyof typeof ADVICE

/** The field that serves as an item's title in lists. For some kinds, server/content/rules.ts has a clearer one. */
export const TITLES: Record<ContentKind, string> = {
  question: 'question',
  advice: '',
  legal: '',
  partner: 'name',
  testimonial: 'name',
  announcement: 'text',
  reply: 'title',
  emergency_clinic: 'name',
}

const kind = z.enum(CONTENT_KINDS, { error: sentenceOf('INVALID_INPUT') })
const item = z.string().regex(/^[a-z0-9-]{1,80}$/, { error: sentenceOf('INVALID_INPUT') })
const one = { kind, item }

/** Who changed it, and when. `by` is null for what VetChat came with. */
const Mark = z.object({ by: z.string().nullable(), is_mine: z.boolean(), at: isoTime.nullable() })

const Review = z.object({ by: z.string(), at: isoTime })

const Listed = z.object({
  ...one,
  title: z.string(),
  /** What a search looks through, besides the title. */
  text: z.string(),
  /** On the public pages, or in vets' lists. */
  is_live: z.boolean(),
  /** Whether there is an unpublished draft, the caller's own or another admin's. */
  has_draft: z.boolean(),
  is_clinical: z.boolean(),
  reviewed: Review.nullable(),
  changed: Mark,
})
export type ListedContent = z.infer<typeof Listed>

export const listContent = call('GET', '/content', {
  summary: 'Everything that admins write for pages and vets, latest change first',
  access: ['admin'],
  input: nothing,
  output: z.array(Listed),
})

const Content = z.object({
  ...one,
  title: z.string(),
  /** The number of the latest version; 0 before the first change. */
  version: z.number(),
  live: Words.nullable(),
  live_reviewed: Review.nullable(),
  versions: z.array(
    z.object({
      number: z.number(),
      mark: Mark,
      what: z.string(),
      /** Null where it was taken off the pages. */
      words: Words.nullable(),
      reviewed: Review.nullable(),
    }),
  ),
  /** The caller's own. */
  draft: z
    .object({
      /** The caller's id, to identify the draft in a review. */
      author: z.number(),
      words: Words,
      based_on: z.number(),
      saved_at: isoTime,
      reviewed: Review.nullable(),
    })
    .nullable(),
  /** Other admins who have a draft of it. */
  others: z.array(z.string()),
  /** The page that shows it, with the caller's draft; null where no public page does. */
  preview: z.string().nullable(),
  may_review: z.boolean(),
})
export type Content = z.infer<typeof Content>

export const getContent = call('GET', '/content/:kind/:item', {
  summary: 'One item: what is live, its versions and your own draft',
  access: ['admin'],
  input: z.object(one),
  output: Content,
})

export const addContent = call('POST', '/content/:kind', {
  summary: 'Begin a new item as an empty draft',
  access: ['admin'],
  input: z.object({ kind: z.enum(['question', 'partner', 'testimonial', 'reply', 'emergency_clinic']) }),
  output: z.object(one),
})

export const saveDraft = call('PUT', '/content/:kind/:item/draft', {
  summary: "Save your draft; nothing public changes. A vet's review of it ends when its words change",
  access: ['admin'],
  input: z.object({
    ...one,
    words: Words,
    based_on: whole(0),
    /** The save that this one builds on, null for the first. Refused if another tab has saved since; left out, it replaces any. */
    saved_at: sentTime.nullish(),
  }),
  output: Content,
})

export const discardDraft = call('DELETE', '/content/:kind/:item/draft', {
  summary: 'Discard your draft',
  access: ['admin'],
  input: z.object(one),
  output: nothing,
})

export const publishContent = call('POST', '/content/:kind/:item/publish', {
  summary: 'Publish your draft as the next version; 409 if somebody has published since the version you name',
  access: ['admin'],
  input: z.object({ ...one, based_on: whole(0), what: optionalText(120).optional() }),
  output: Content,
})

export const takeContentDown = call('POST', '/content/:kind/:item/take-down', {
  summary: 'Take an item off the pages; its versions stay',
  access: ['admin'],
  input: z.object({ ...one, based_on: whole(0) }),
  output: Content,
})

export const listReviews = call('GET', '/content-reviews', {
  summary: "Clinical drafts and pages that wait for a vet's review",
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(
    z.object({
      ...one,
      title: z.string(),
      words: Words,
      /** Whose draft it is; null for what is live. */
      draft_of: z.number().nullable(),
      author: z.string().nullable(),
      saved_at: isoTime.nullable(),
      version: z.number(),
    }),
  ),
})
export type WaitingReview = z.infer<typeof listReviews.output>[number]

export const reviewContent = call('POST', '/content/:kind/:item/review', {
  summary: 'Mark exactly these words as reviewed: a draft as it was saved, or a version',
  access: ['vet', 'admin'],
  input: z.object({
    ...one,
    draft_of: id.nullish(),
    saved_at: sentTime.nullish(),
    version: whole(0).nullish(),
  }),
  output: nothing,
})

export const listQuestions = call('GET', '/questions', {
  summary: 'Frequent questions by topic; an answer names what depends on the region in braces',
  access: 'anyone',
  input: nothing,
  output: z.array(
    z.object({
      about: z.string(),
      asked: z.array(
        z.object({
          item: z.string(),
          question: z.string(),
          answer: z.string(),
          is_clinical: z.boolean(),
          /** Null on a clinical answer only in the demo. */
          reviewed: Review.nullable(),
        }),
      ),
    }),
  ),
})

const Advice = z.object({
  item: keyOf(ADVICE),
  lines: z.array(z.string()),
  /** Null only in the demo: elsewhere advice is published once a vet has reviewed it. */
  reviewed: Review.nullable(),
})
export type Advice = z.infer<typeof Advice>

export const listAdvice = call('GET', '/advice', {
  summary: 'The lists of clinical advice on public pages, such as the signs of an emergency',
  access: 'anyone',
  input: nothing,
  output: z.array(Advice),
})

export const legalReview = call('GET', '/legal-review', {
  summary: 'Who reviewed the terms and the privacy policy, and which version; null before the first review',
  access: 'anyone',
  input: nothing,
  output: z.object({ by: z.string(), on: z.string(), version: z.string() }).nullable(),
})

/** Clinics where an owner can go now. */
const OpenClinics = z.object({
  area: z.string(),
  /** Every town for which clinics are listed. */
  areas: z.array(z.string()),
  /** The area's clinics that are open now. The one that stays open longest comes first. */
  clinics: z.array(
    z.object({
      name: z.string(),
      place: z.string(),
      phone: z.string(),
      /** Its own, which may differ from its region's. */
      time_zone: z.string(),
      /** Null if it's open day and night. */
      until: isoTime.nullable(),
    }),
  ),
})
export type OpenClinics = z.infer<typeof OpenClinics>

export const listOpenClinics = call('GET', '/emergency-clinics', {
  summary: 'The emergency clinics of an area that are open now, and the areas to choose from',
  access: 'anyone',
  input: z.object({ area: optionalText(40) }),
  output: OpenClinics,
})
