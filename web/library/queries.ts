import type { Resource } from '#contract/library.ts'
import * as calls from '#contract/library.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

export const everyResource = { ...query(calls.listAllResources, {}), refetchOnWindowFocus: 'always' as const }

const invalidates = [calls.listAllResources]

export const useSaveResource = (onChanged: (current: Resource) => void) =>
  useForForm(calls.saveResource, {
    invalidates,
    onChangedMeanwhile: (current) => onChanged(current as Resource),
  })
export const useReviewResource = () =>
  useCall(calls.reviewResource, { invalidates: [...invalidates, calls.listUnreviewed] })
export const unreviewed = query(calls.listUnreviewed, {})
export const useDeleteResource = () => useForForm(calls.deleteResource, { invalidates })
