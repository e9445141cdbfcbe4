import type { Call, Input, Output } from '#contract/call.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { Refusal } from '../ui/form.tsx'
import { adviceOn, ApiError } from './api.ts'
import { type Change, useCall } from './queries.ts'

/** The call got no response, so we don't know what happened. */
export const NO_ANSWER = 'NO_ANSWER'

/** What a form shows for a failed call, including one that got no response. */
export function refusalOf(error: unknown, unanswered?: string): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, errors, fields } = error
  const code = status === 0 ? NO_ANSWER : error.code
  if (status === 0 && unanswered !== undefined) return { errors: [unanswered], code } satisfies Refusal
  const advice = adviceOn(error)
  const told = errors.length > 0 ? errors : [sentenceOf('UNEXPECTED')]
  return { errors: advice === undefined ? told : [...told, advice], fields, code } satisfies Refusal
}

/** The sentence beside a button whose call failed. Without a response, it's `unanswered`, or else what to do. */
export function messageOf(error: unknown, unanswered?: string): string {
  const reached = error instanceof ApiError && error.status > 0
  if (!reached && unanswered !== undefined) return unanswered
  return adviceOn(error) ?? (reached ? error.message : sentenceOf('UNEXPECTED'))
}

/** A call whose failure the form shows. */
export function useForForm<C extends Call>(
  definition: C,
  {
    unanswered,
    onChangedMeanwhile,
    ...change
  }: Omit<Change, 'showsFailure'> & {
    unanswered?: string
    /** Gets what somebody else saved first, if the server's refusal contains it. */
    onChangedMeanwhile?: (current: unknown) => void
  } = {},
): (input: Input<C>) => Promise<Output<C>> {
  const { mutateAsync } = useCall(definition, { ...change, showsFailure: true })
  return (input) =>
    mutateAsync(input).catch((error: unknown) => {
      const current = onChangedMeanwhile && error instanceof ApiError && error.body['current']
      if (current) {
        onChangedMeanwhile(current)
        // The form shows what changed, which is more useful than the sentence.
        if (error.code === 'CHANGED_UNDER_YOU') throw { errors: [] } satisfies Refusal
      }
      throw refusalOf(error, unanswered)
    })
}
