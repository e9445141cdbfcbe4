import type { Input } from '#contract/call.ts'
import * as calls from '#contract/claims.ts'
import { openPerson } from '#contract/people.ts'
import { useForForm } from '../lib/for-form.ts'
import { pages } from '../lib/paged-list.ts'

export const everyClaim = (asked: Omit<Input<typeof calls.listEveryClaim>, 'cursor'>) =>
  pages(calls.listEveryClaim, asked)

export const useDecideClaim = (onChanged: (current: calls.AdminsClaim) => void) =>
  useForForm(calls.decideClaim, {
    invalidates: [calls.listEveryClaim, openPerson],
    onChangedMeanwhile: (current) => onChanged(current as calls.AdminsClaim),
  })
