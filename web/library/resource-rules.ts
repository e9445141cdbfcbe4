import type { Input } from '#contract/call.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { Resource, saveResource } from '#contract/library.ts'
import type { Meanwhile } from '../ui/changed-meanwhile.tsx'
import type { Rules } from '../ui/form-state.ts'

export const KINDS = [
  { value: '1', label: 'eBook' },
  { value: '2', label: 'Infographic' },
  { value: '3', label: 'Video' },
]

export type ResourceTyped = ReturnType<typeof typedOf>
export const typedOf = (resource: Resource | undefined) => ({
  title: resource?.title ?? '',
  type: resource ? String(resource.type) : '',
  description: resource?.description ?? '',
  /** The address of a video's player, for a video that isn't a file. */
  player: resource?.file.startsWith('https://') ? resource.file : '',
})

export const resourceRules: Rules<ResourceForm> = ({ title, type }) => ({
  title: title.trim() === '' && sentenceOf('RESOURCE_TITLE_MISSING'),
  type: type === '' && sentenceOf('RESOURCE_TYPE_MISSING'),
})

type Sent = Input<typeof saveResource>
/** No new files: those that the resource has stay. */
export const NO_FILES: { featured_image: File | null; featured_image2: File | null; file: File | null } = {
  featured_image: null,
  featured_image2: null,
  file: null,
}
export type ResourceForm = ResourceTyped & typeof NO_FILES

/** A field that isn't sent stays as it is. */
export function sentOf(
  resource: Resource | undefined,
  { title, type, description, player, ...files }: ResourceForm,
): Sent {
  const before = typedOf(resource).player
  const kept = Object.entries(files).filter(([, one]) => one !== null)
  return {
    ...(resource && { id: resource.id, version: resource.version }),
    title,
    type: Number(type) as 1 | 2 | 3,
    description,
    ...(type === '3' && player !== before && { file: player.trim() }),
    ...Object.fromEntries(kept),
  }
}

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
