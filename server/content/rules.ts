import {
  ADVICE,
  type AdviceName,
  CONTENT_WORDS,
  type ContentKind,
  TITLES,
  type Words,
} from '#contract/content.ts'
import { REGION_IDS } from '#contract/regions.ts'
import type { Secrets } from '../identity/secrets.ts'
import { isSigned, signed } from '../identity/signed-links.ts'

export interface Named {
  kind: ContentKind
  item: string
}

/** The banner for all regions, and one for each region. */
export const BANNERS: string[] = ['all', ...REGION_IDS]
/** A banner's key in the settings. */
export const bannerKey = (item: string) => (item === 'all' ? 'announcement' : `announcement:${item}`)

/** The terms and the privacy policy are reviewed as one document. */
export const LEGAL = 'terms-and-privacy'

/** Items that are always there, to be filled in or changed. */
export const isFixed = ({ kind, item }: Named) =>
  (kind === 'announcement' && BANNERS.includes(item)) || (kind === 'legal' && item === LEGAL)

const said = (words: Words | null, field: string) => String(words?.[field] ?? '')

export const titleOf = ({ kind, item }: Named, words: Words | null): string => {
  if (kind === 'announcement') return item === 'all' ? 'Banner' : `Banner, ${item.toUpperCase()} only`
  if (kind === 'advice') return ADVICE[item as AdviceName] ?? item
  if (kind === 'legal') return 'Review of terms and privacy policy'
  return said(words, TITLES[kind]) || 'Untitled'
}

/** All text of an item, for searches. */
export const textOf = (words: Words | null) =>
  Object.values(words ?? {})
    .filter((value) => typeof value === 'string')
    .join(' ')

/** An empty item of a kind, with every field of it. */
export const emptyWords = (kind: ContentKind): Words => {
  const empty: Words = Object.fromEntries(Object.keys(CONTENT_WORDS[kind].shape).map((name) => [name, '']))
  if (kind === 'question') return { ...empty, topic: 'The consult', clinical: true }
  if (kind === 'emergency_clinic')
    return { ...empty, region: REGION_IDS[0]!, weekdays: 'all day', saturday: 'all day', sunday: 'all day' }
  return kind === 'testimonial' ? { ...empty, kind: 'carer', rating: null } : empty
}

/** What changed, if the author didn't say. */
export function changeSaid(before: Words | null, after: Words): string {
  if (!before) return 'First version'
  const changed = Object.keys(after).filter((name) => after[name] !== before[name])
  return changed.length > 0 ? `Changed: ${changed.join(', ')}` : 'Published again'
}

/* The page in the editor's frame opens under a signed address, since the frame has no session. */

const draftOf = ({ kind, item }: Named, userId: number) => `draft ${kind} ${item} ${userId}`

export function draftCode(secrets: Secrets, now: Date, named: Named, userId: number): string {
  const { until, signature } = signed(secrets, now, draftOf(named, userId))
  return [named.kind, named.item, userId, until, signature].join('.')
}

export function readDraftCode(
  secrets: Secrets,
  now: Date,
  code: string,
): (Named & { userId: number }) | null {
  const [kind, item = '', user, until = '', signature = ''] = code.split('.')
  const named = { kind: kind as ContentKind, item }
  const userId = Number(user)
  return isSigned(secrets, now, draftOf(named, userId), { until, signature }) ? { ...named, userId } : null
}

/** The public page of an item, and the place on it. */
export function pageOf({ kind, item }: Named, words: Words | null): { path: string; place: string } | null {
  if (kind === 'question') return { path: '/faq', place: `#${item}` }
  if (kind === 'advice') return { path: item === 'signs' ? '/how-it-works' : '/offline', place: '' }
  if (kind === 'legal') return { path: '/terms-and-conditions', place: '' }
  if (kind === 'partner') return { path: '/partners', place: '' }
  if (kind === 'announcement') return { path: '/', place: '' }
  if (kind === 'testimonial')
    return { path: words?.['kind'] === 'clinic' ? '/vet-clinic' : '/testimonials', place: '' }
  return null
}
