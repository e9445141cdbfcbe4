import type { Input } from '#contract/call.ts'
import { words } from '#contract/errors.ts'
import type { Resource, saveResource } from '#contract/library.ts'
import { rules } from '../lib/rules.ts'
import type { Meanwhile } from '../ui/changed-meanwhile.tsx'

export const KINDS = [
  { value: '1', label: 'eBook' },
  { value: '2', label: 'Infographic' },
  { value: '3', label: 'Video' },
]

export interface ResourceTyped {
  title: string
  type: string
  description: string
  /** The address of a video's player, for a video that isn't a file. */
  player: string
}

export const typedOf = (resource: Resource | undefined): ResourceTyped => ({
  title: resource?.title ?? '',
  type: resource ? String(resource.type) : '',
  description: resource?.description ?? '',
  player: resource?.file.startsWith('https://') ? resource.file : '',
})

export const resourceRules = rules<ResourceTyped>(({ title, type }) => ({
  title: title.trim() === '' && words('RESOURCE_TITLE_MISSING'),
  type: type === '' && words('RESOURCE_TYPE_MISSING'),
}))

type Sent = Input<typeof saveResource>
type Files = Partial<Record<'featured_image' | 'featured_image2' | 'file', File | '' | undefined>>

/** A field that isn't sent stays as it is. */
export function sentOf(resource: Resource | undefined, typed: ResourceTyped, files: Files): Sent {
  const { title, type, description, player } = typed
  const before = typedOf(resource).player
  const kept = Object.entries(files).filter(([, one]) => one !== undefined)
  return {
    ...(resource && { id: resource.id, version: resource.version }),
    title,
    type: Number(type) as 1 | 2 | 3,
    description,
    ...(type === '3' && player !== before && { file: player.trim() }),
    ...Object.fromEntries(kept),
  }
}

/** What somebody else changed, in the form's words. */
export const changesOf = (typed: ResourceTyped, current: Resource): Meanwhile[] => {
  const now = typedOf(current)
  return [
    { label: 'Title', field: 'title', now: now.title },
    { label: 'Type', field: 'type', now: KINDS[current.type - 1]!.label },
    { label: 'Text', field: 'description', now: now.description },
    { label: 'Player', field: 'player', now: now.player },
  ].filter(
    ({ field }) => now[field as keyof ResourceTyped].trim() !== typed[field as keyof ResourceTyped].trim(),
  )
}
