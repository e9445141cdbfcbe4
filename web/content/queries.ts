import type { ContentKind } from '#contract/content.ts'
import * as calls from '#contract/content.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

const FRESH = { refetchOnWindowFocus: 'always' as const }
/** How soon an admin sees that another one has published. */
const LOOK_AGAIN_MS = 4000

export const everyContent = { ...query(calls.listContent, {}), ...FRESH }
export const oneContent = (kind: ContentKind, item: string) => ({
  ...query(calls.getContent, { kind, item }),
  ...FRESH,
  refetchInterval: LOOK_AGAIN_MS,
})
export const waitingReviews = { ...query(calls.listReviews, {}), ...FRESH }

const LISTS = [calls.listContent]
const invalidates = [calls.listContent, calls.getContent]

export const useAddContent = () => useCall(calls.addContent, { invalidates: LISTS })
/** Saved one after the other, so that the latest draft is saved last. */
export const useSaveDraft = () =>
  useCall(calls.saveDraft, { invalidates: LISTS, showsFailure: true, scope: 'draft' })
export const useDiscardDraft = () => useForForm(calls.discardDraft, { invalidates, scope: 'draft' })
export const usePublish = () =>
  useCall(calls.publishContent, { invalidates, showsFailure: true, scope: 'draft' })
export const useTakeDown = () => useForForm(calls.takeContentDown, { invalidates })
export const useReview = () =>
  useCall(calls.reviewContent, { invalidates: [...invalidates, calls.listReviews] })
