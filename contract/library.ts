import * as z from 'zod'
import { call } from './call.ts'
import { changed, file, id, idOf, isoTime, nothing, optionalText, text, whole } from './fields.ts'
import { sentenceOf } from './errors.ts'

/* What visitors read and watch: resources, testimonials, partners and the announcement. */

/** Kinds of resource, by their names in addresses. */
export const RESOURCE_TYPES = { eBooks: 1, Infographics: 2, Videos: 3 } as const
export type ResourceType = keyof typeof RESOURCE_TYPES

export const RESOURCES_A_PAGE = 12

/** Other sites whose players may be framed. */
export const VIDEO_HOSTS = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com']

/** A pet carer's testimonial is cut off after this many characters until it is opened. */
const TESTIMONIAL_SHORT = 180

/** The text cut off at a word; null if it is short enough to show whole. */
export function shortened(text: string): string | null {
  if (text.length <= TESTIMONIAL_SHORT) return null
  const cut = text.slice(0, TESTIMONIAL_SHORT)
  const atWord = cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut.slice(0, -1)
  return `${atWord.replace(/[\s.,;:–-]+$/, '')}…`
}

/** A rating out of range counts as five stars. */
export const starsOf = (rating: number): number => (rating > 5 || rating < 0 ? 5 : Math.round(rating))

const Resource = z.object({
  id,
  type: z.literal([1, 2, 3]),
  title: z.string(),
  slug: z.string(),
  /** Plain text: see readWords. */
  description: z.string(),
  featured_image: z.string(),
  featured_image2: z.string(),
  /** The address of the resource itself. */
  file: z.string(),
  /** The size of its picture, if it is known. */
  size: z.object({ width: z.number(), height: z.number() }).nullable(),
  created_at: isoTime,
  /** The vet who reviewed these words, and when. Without a review, only the demo publishes them. */
  reviewed: z.object({ by: z.string(), at: isoTime }).nullable(),
  is_public: z.boolean(),
  /** Counts its changes. */
  version: z.number(),
})
export type Resource = z.infer<typeof Resource>

export const listResources = call('GET', '/resources/type/:type', {
  summary: 'Resources of one kind, newest first; a page past the end is empty',
  access: 'anyone',
  input: z.object({
    type: z.enum(['eBooks', 'Infographics', 'Videos'], { error: sentenceOf('INVALID_INPUT') }),
    page: idOf(sentenceOf('INVALID_INPUT')).optional(),
  }),
  output: z.array(Resource),
})

export const getResource = call('GET', '/resources/:resource', {
  summary: 'One resource, by its slug or its id',
  access: 'anyone',
  input: z.object({ resource: z.string().trim().min(1).max(200) }),
  output: Resource,
})

const RESOURCE_FILE_BYTES = 50 * 1024 * 1024
export const RESOURCE_TITLE_LENGTH = 150
export const RESOURCE_WORDS_LENGTH = 20_000

const typeMissing = sentenceOf('RESOURCE_TYPE_MISSING')
/** By number, or by its name in addresses. */
const resourceType = z
  .union([z.literal([1, 2, 3]), z.string()], { error: typeMissing })
  .transform((type) =>
    typeof type === 'number' ? type : (RESOURCE_TYPES[type as ResourceType] ?? Number(type)),
  )
  .pipe(z.literal([1, 2, 3], { error: typeMissing }))

/** A new file, the address it already has, or an empty text to remove it. Left out, it stays. */
const fileOrAddress = z.union([file, optionalText(500)]).optional()

const resourceFields = {
  title: text(RESOURCE_TITLE_LENGTH, sentenceOf('RESOURCE_TITLE_MISSING')),
  type: resourceType,
  description: optionalText(RESOURCE_WORDS_LENGTH).optional(),
  featured_image: fileOrAddress,
  featured_image2: fileOrAddress,
  file: fileOrAddress,
  /** The version that the change is based on; 409 if it's no longer the latest. Without it, nothing is compared. */
  version: whole(1).optional(),
}

export const listAllResources = call('GET', '/resources', {
  summary: 'Every resource, newest first',
  access: ['admin'],
  input: nothing,
  output: z.array(Resource),
})

export const saveResource = call('POST', '/resources', {
  summary: 'Add a resource, or change the one with this id',
  access: ['admin'],
  upload: { maxBytes: RESOURCE_FILE_BYTES },
  input: z.object({ id: z.union([id, z.literal('')]).optional(), ...resourceFields }),
  output: Resource,
})

export const updateResource = call('PUT', '/resources', {
  summary: 'Change a resource; fields left out stay',
  access: ['admin'],
  upload: { maxBytes: RESOURCE_FILE_BYTES },
  input: z.object({
    ...resourceFields,
    id,
    title: changed(resourceFields.title),
    type: changed(resourceType),
  }),
  output: Resource,
})

export const listUnreviewed = call('GET', '/resource-reviews', {
  summary: 'Resources that no vet has reviewed, oldest first, fifty at most',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(Resource),
})

export const reviewResource = call('POST', '/resources/:resource/review', {
  summary: 'Mark this version of a resource as reviewed by the calling vet',
  access: ['vet', 'admin'],
  input: z.object({ resource: id, version: whole(1) }),
  output: Resource,
})

export const deleteResource = call('DELETE', '/resources/:resource', {
  summary: 'Delete a resource, by its id',
  access: ['admin'],
  input: z.object({ resource: id }),
  output: nothing,
})

export const listTestimonials = call('GET', '/testimonials', {
  summary: 'What pet carers say',
  access: 'anyone',
  input: nothing,
  output: z.array(z.object({ petCarer: z.string(), text: z.string(), image: z.string() })),
})

export const listClinicTestimonials = call('GET', '/testimonials/clinics', {
  summary: 'What clinics say, with their stars',
  access: 'anyone',
  input: nothing,
  output: z.array(z.object({ name: z.string(), rating: z.number().nullable(), details: z.string() })),
})

export const listPartners = call('GET', '/partners', {
  summary: 'Organisations that we work with, and where their people sign in',
  access: 'anyone',
  input: nothing,
  output: z.array(z.object({ name: z.string(), blurb: z.string(), url: z.string() })),
})

export const getAnnouncement = call('GET', '/announcement', {
  summary: 'The announcement above every public page, if there is one',
  access: 'anyone',
  input: nothing,
  output: z.object({ id: z.string(), text: z.string(), href: z.string().nullable() }).nullable(),
})

type Words = { heading: string } | { text: string } | { list: string[] }

/** Splits a description into paragraphs, lists (lines that begin with "- ") and headings ("# "). */
export function readWords(description: string): Words[] {
  const said: Words[] = []
  for (const line of description.split(/\r?\n/).map((one) => one.trim())) {
    const last = said.at(-1)
    if (line.startsWith('# ')) said.push({ heading: line.slice(2).trim() })
    else if (!line.startsWith('- ')) {
      if (line !== '') said.push({ text: line })
    } else if (last && 'list' in last) last.list.push(line.slice(2).trim())
    else said.push({ list: [line.slice(2).trim()] })
  }
  return said
}

/** The first paragraph, for cards and search engines. */
export const teaserOf = ({ title, description }: Pick<Resource, 'title' | 'description'>): string =>
  readWords(description).flatMap((part) => ('text' in part ? [part.text] : []))[0] ?? title

export interface Chapter {
  heading: string
  points: string[]
}

/** The text under each heading. Text before the first heading is left out: the page shows it. */
export function chaptersOf(description: string): Chapter[] {
  const chapters: Chapter[] = []
  for (const part of readWords(description)) {
    if ('heading' in part) chapters.push({ heading: part.heading, points: [] })
    else chapters.at(-1)?.points.push(...('list' in part ? part.list : [part.text]))
  }
  return chapters
}

export type Tone = 'now' | 'soon' | 'calm'
const TONES: [RegExp, Tone][] = [
  [/\b(now|never|danger|no)\b/i, 'now'],
  [/\b(today|soon|careful)\b/i, 'soon'],
]

/** How urgent a heading sounds, which colours posters and slides. */
export const toneOf = (heading: string): Tone => TONES.find(([says]) => says.test(heading))?.[1] ?? 'calm'

const SWATCHES: Record<string, string> = {
  pink: '#e79a9a',
  pale: '#f4e3de',
  blue: '#8296bd',
  yellow: '#e3c24e',
  'brick red': '#a4372c',
}

/** The colour that a heading names, to be shown beside it. */
export const swatchOf = (heading: string): string | undefined => SWATCHES[heading.toLowerCase()]

export const SLIDE_SECONDS = 6

/** How long each of our own films is (scripts/films.ts). */
export const FILM_SECONDS = 32

/** The length of a film of slides: one for the title, one for each heading, one for what to do in doubt. */
export const secondsOfSlides = (description: string): number =>
  (chaptersOf(description).length + 2) * SLIDE_SECONDS
