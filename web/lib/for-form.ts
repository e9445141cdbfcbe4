import type { Call, Input, Output } from '#contract/call.ts'
import { words } from '#contract/errors.ts'
import type { Refusal } from '../ui/form.tsx'
import { ApiError } from './api.ts'
import { useCall } from './queries.ts'

/** The call got no response, so nothing is known to have happened. */
export const NO_ANSWER = 'NO_ANSWER'

/** What a form shows of a failed call, including one that got no response. */
export function refusalOf(error: unknown, unanswered: string = words('UNEXPECTED')): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.status === 0) return { errors: [unanswered], code: NO_ANSWER } satisfies Refusal
  const errors = error.errors.length > 0 ? error.errors : [words('UNEXPECTED')]
  return { errors, fields: error.fields, code: error.code } satisfies Refusal
}

/** What a dialog says of a failed call: `unanswered` if it got no response. */
export const messageOf = (error: unknown, unanswered: string) =>
  error instanceof ApiError && error.status > 0 ? error.message : unanswered

/** A call whose failure is shown by the form. */
export function useForForm<C extends Call>(
  definition: C,
  {
    invalidates,
    unanswered,
    onChangedMeanwhile,
  }: {
    invalidates?: readonly Call[]
    unanswered?: string
    /** Gets what somebody else saved first, if the server's refusal names it. */
    onChangedMeanwhile?: (current: unknown) => void
  } = {},
): (input: Input<C>) => Promise<Output<C>> {
  const { mutateAsync } = useCall(definition, { showsFailure: true, ...(invalidates && { invalidates }) })
  return (input) =>
    mutateAsync(input).catch((error: unknown) => {
      const current = onChangedMeanwhile && error instanceof ApiError && error.body['current']
      if (current) {
        onChangedMeanwhile(current)
        // The form shows what changed, which says more than the sentence.
        if (error.code === 'CHANGED_UNDER_YOU') throw { errors: [] } satisfies Refusal
      }
      throw refusalOf(error, unanswered)
    })
}
