import { TERMS_VERSION } from '#contract/accounts.ts'
import { type ContentKind, PLACES, TOPICS } from '#contract/content.ts'
import { type Region, REGION_IDS, REGIONS } from '#contract/regions.ts'
import { day, dayAndTime, isToday, time } from '../lib/dates.ts'
import type { IconName } from '../ui/icon.tsx'

export const KINDS: Record<ContentKind, { one: string; many: string; icon: IconName }> = {
  question: { one: 'Question', many: 'Questions', icon: 'message-circle' },
  advice: { one: 'Advice', many: 'Advice', icon: 'siren' },
  partner: { one: 'Partner', many: 'Partners', icon: 'users' },
  testimonial: { one: 'Testimonial', many: 'Testimonials', icon: 'heart-pulse' },
  announcement: { one: 'Banner', many: 'Banner', icon: 'megaphone' },
  reply: { one: 'Canned reply', many: 'Replies', icon: 'clipboard-list' },
  emergency_clinic: { one: 'Emergency clinic', many: 'Emergency clinics', icon: 'map-pin' },
  legal: { one: 'Legal review', many: 'Legal', icon: 'shield-check' },
}

export interface FieldWords {
  name: string
  label: string
  is: 'line' | 'text' | 'choice' | 'tick' | 'stars'
  most?: number
  optional?: true
  help?: string
  options?: { value: string; label: string }[]
  /** For a testimonial's field: pages show it to these readers only. */
  to?: 'carer' | 'clinic'
}

const HOURS = 'For example, 18:00-08:00, which ends the next morning. Or “all day”, or “closed”.'

const mainTown = (region: Region) => REGIONS[region].timeZone.replace(/^.*\//, '')

const ANIMALS = ['dog', 'cat', 'rabbit', 'guinea-pig', 'bird', 'turtle', 'snake', 'other']

export const FIELDS: Record<ContentKind, FieldWords[]> = {
  question: [
    { name: 'question', label: 'Question', is: 'line', most: 150 },
    {
      name: 'answer',
      label: 'Answer',
      is: 'text',
      most: 2000,
      help: `Plain text. Words in braces are filled in from the region’s table, so they stay true: ${PLACES.map((place) => `{${place}}`).join(', ')}.`,
    },
    {
      name: 'topic',
      label: 'Topic',
      is: 'choice',
      options: TOPICS.map((value) => ({ value, label: value })),
    },
    { name: 'clinical', label: 'It says what to do with an animal, so a vet reviews it', is: 'tick' },
  ],
  advice: [
    {
      name: 'lines',
      label: 'Advice',
      is: 'text',
      most: 2000,
      help: 'One point per line. A vet reviews every version; until one has, only the demo shows it.',
    },
  ],
  partner: [
    { name: 'name', label: 'Name', is: 'line', most: 100 },
    { name: 'blurb', label: 'What they are', is: 'text', most: 300, optional: true },
    {
      name: 'url',
      label: 'Where their people sign in',
      is: 'line',
      most: 500,
      help: 'Begins with https://.',
    },
  ],
  testimonial: [
    { name: 'name', label: 'Who said it', is: 'line', most: 100, help: 'Only with their agreement.' },
    { name: 'text', label: 'What they said', is: 'text', most: 2000 },
    {
      name: 'kind',
      label: 'Shown to',
      is: 'choice',
      options: [
        { value: 'carer', label: 'Pet carers' },
        { value: 'clinic', label: 'Clinics' },
      ],
    },
    {
      name: 'image',
      label: 'Picture',
      is: 'choice',
      to: 'carer',
      options: [
        { value: '', label: 'None' },
        ...ANIMALS.map((name) => ({ value: `/avatars/${name}.svg`, label: name.replace('-', ' ') })),
      ],
    },
    { name: 'rating', label: 'Stars', is: 'stars', to: 'clinic' },
  ],
  announcement: [
    { name: 'text', label: 'Text', is: 'line', most: 300, help: 'One line above every public page.' },
    {
      name: 'href',
      label: 'Link',
      is: 'line',
      most: 500,
      optional: true,
      help: 'One of our pages, such as /faq, or an address that begins with https://.',
    },
  ],
  reply: [
    { name: 'title', label: 'Title', is: 'line', most: 60, help: 'Vets find it by typing / and this.' },
    {
      name: 'body',
      label: 'Text',
      is: 'text',
      most: 2000,
      help: 'Words in braces, such as {pet}, are filled in or left for the vet, who reads it before sending it.',
    },
  ],
  emergency_clinic: [
    { name: 'name', label: 'Name', is: 'line', most: 100 },
    {
      name: 'region',
      label: 'Country',
      is: 'choice',
      options: REGION_IDS.map((value) => ({ value, label: REGIONS[value].name })),
    },
    {
      name: 'zone',
      label: 'Time zone',
      is: 'choice',
      options: [
        { value: '', label: `The country’s main one (${REGION_IDS.map(mainTown).join(', ')})` },
        ...REGION_IDS.flatMap((id) => Object.keys(REGIONS[id].otherZones)).map((value) => ({
          value,
          label: value,
        })),
      ],
    },
    {
      name: 'area',
      label: 'Area',
      is: 'line',
      most: 40,
      help: 'The town that owners choose from, such as Cape Town. Write it the same for each clinic there.',
    },
    { name: 'place', label: 'Suburb', is: 'line', most: 60 },
    { name: 'phone', label: 'Phone', is: 'line', most: 20, help: 'Owners press it to call, at any hour.' },
    { name: 'weekdays', label: 'Monday to Friday', is: 'line', most: 20, help: HOURS },
    { name: 'saturday', label: 'Saturday', is: 'line', most: 20, help: HOURS },
    { name: 'sunday', label: 'Sunday and public holidays', is: 'line', most: 20, help: HOURS },
  ],
  legal: [
    {
      name: 'by',
      label: 'Reviewed by',
      is: 'line',
      most: 100,
      help: 'Name and firm, as they should appear on the page.',
    },
    { name: 'on', label: 'On', is: 'line', most: 10, help: 'For example, 2026-11-30.' },
    {
      name: 'version',
      label: 'Version that they read',
      is: 'line',
      most: 20,
      help: `The pages show ${TERMS_VERSION} now. A later version needs a new review.`,
    },
  ],
}

export const labelOf = (kind: ContentKind, name: string) =>
  FIELDS[kind].find((field) => field.name === name)?.label ?? name

/** "today, 10:14" or "Tue 3 Nov, 15:30". */
export const whenSaid = (at: string) => (isToday(at) ? `today, ${time(at)}` : dayAndTime(at))

export const reviewSaid = ({ by, at }: { by: string; at: string }) => `${by}, ${day(at)}`

export const markSaid = ({ by, is_mine, at }: { by: string | null; is_mine: boolean; at: string | null }) =>
  [is_mine ? 'You' : (by ?? 'VetChat'), at && whenSaid(at)].filter(Boolean).join(', ')
