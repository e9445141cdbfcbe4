import * as z from 'zod'
import { call } from './call.ts'
import { id, idOf, isoTime, nothing } from './fields.ts'
import { words } from './errors.ts'

/** What there is to read and watch, by the names that addresses use. */
export const RESOURCE_TYPES = { eBooks: 1, Infographics: 2, Videos: 3 } as const
export type ResourceType = keyof typeof RESOURCE_TYPES

export const RESOURCES_A_PAGE = 12

/** Other sites whose players may be framed. */
export const VIDEO_HOSTS = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com']

/** Longer words of a pet carer are shortened until they are opened. */
const TESTIMONIAL_SHORT = 180

/** Cut at a word, where it is too long to be shown whole; null where it is not. */
export function shortened(text: string): string | null {
  if (text.length <= TESTIMONIAL_SHORT) return null
  const cut = text.slice(0, TESTIMONIAL_SHORT)
  const atWord = cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut.slice(0, -1)
  return `${atWord.replace(/[\s.,;:–-]+$/, '')}…`
}

/** A rating that can not be counts as the best. */
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
  /** Where the thing itself is. */
  file: z.string(),
  /** How large its picture is, where that is known. */
  size: z.object({ width: z.number(), height: z.number() }).nullable(),
  created_at: isoTime,
})
export type Resource = z.infer<typeof Resource>

export const listResources = call({
  method: 'GET',
  path: '/resources/type/:type',
  summary: 'What there is to read or watch, the newest first; a page past the end is empty',
  access: 'anyone',
  input: z.object({
    type: z.enum(['eBooks', 'Infographics', 'Videos'], { error: words('INVALID_INPUT') }),
    page: idOf(words('INVALID_INPUT')).optional(),
  }),
  output: z.array(Resource),
})

export const getResource = call({
  method: 'GET',
  path: '/resources/:resource',
  summary: 'One of them, by its slug or its id',
  access: 'anyone',
  input: z.object({ resource: z.string().trim().min(1).max(200) }),
  output: Resource,
})

export const listTestimonials = call({
  method: 'GET',
  path: '/testimonials',
  summary: 'What pet carers say',
  access: 'anyone',
  input: nothing,
  output: z.array(z.object({ petCarer: z.string(), text: z.string(), image: z.string() })),
})

export const listClinicTestimonials = call({
  method: 'GET',
  path: '/testimonials/clinics',
  summary: 'What clinics say, with their stars',
  access: 'anyone',
  input: nothing,
  output: z.array(z.object({ name: z.string(), rating: z.number().nullable(), details: z.string() })),
})

export const listPartners = call({
  method: 'GET',
  path: '/partners',
  summary: 'Organisations that we work with, and where their people sign in',
  access: 'anyone',
  input: nothing,
  output: z.array(z.object({ name: z.string(), blurb: z.string(), url: z.string() })),
})

export const getAnnouncement = call({
  method: 'GET',
  path: '/announcement',
  summary: 'What stands above every public page, if anything',
  access: 'anyone',
  input: nothing,
  output: z.object({ id: z.string(), text: z.string(), href: z.string().nullable() }).nullable(),
})

type Words = { heading: string } | { text: string } | { list: string[] }

/** What a description says: paragraphs, lines that begin with "- " as a list, and lines that begin with "# " as headings. */
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

/** What stands on a card and in a search engine: the first paragraph. */
export const teaserOf = ({ title, description }: Pick<Resource, 'title' | 'description'>): string =>
  readWords(description).flatMap((part) => ('text' in part ? [part.text] : []))[0] ?? title

export interface Chapter {
  heading: string
  points: string[]
}

/** The words by their headings; what stands before the first is left to the page around it. */
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

/** How pressing a heading sounds: what is drawn from the words is coloured by it. */
export const toneOf = (heading: string): Tone => TONES.find(([says]) => says.test(heading))?.[1] ?? 'calm'

const SWATCHES: Record<string, string> = {
  pink: '#e79a9a',
  pale: '#f4e3de',
  blue: '#8296bd',
  yellow: '#e3c24e',
  'brick red': '#a4372c',
}

/** A colour that a heading names is shown. */
export const swatchOf = (heading: string): string | undefined => SWATCHES[heading.toLowerCase()]

/** How long a slide stands. */
export const SLIDE_SECONDS = 6

/** Of the slides that are made from words: one for the title, one for each heading, one for what to do in doubt. */
export const secondsOfSlides = (description: string): number =>
  (chaptersOf(description).length + 2) * SLIDE_SECONDS
