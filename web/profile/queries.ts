import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Input } from '#contract/call.ts'
import { sentenceOf } from '#contract/errors.ts'
import * as calls from '#contract/profile.ts'
import { currentUser } from '../lib/current-user.ts'
import { api, ApiError } from '../lib/api.ts'
import { refusalOf, useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'
import { mainToken, renewToken } from '../lib/session.ts'
import type { Refusal } from '../ui/form.tsx'
import { say, sentence } from '../ui/say.ts'

const NOT_SAVED = sentence(
  'We couldn’t reach VetChat, so this may not be saved yet. Everything you typed is still here, so please try again.',
)

/** When a change is repeated after a lost answer, the server refuses it if the new password is already set. */
const PERHAPS_CHANGED = sentence(
  'We couldn’t reach VetChat, so we don’t know whether your password has changed. Please try again. If your current password is refused then, the new one is already set.',
)

/** First what failed, then why. */
const failing = (what: string, unanswered: typeof NOT_SAVED) => (error: unknown) => {
  if (!(error instanceof ApiError)) throw error
  const { errors, fields } = refusalOf(error, say(unanswered)) as Refusal
  const why = errors.filter((each) => each !== what && each !== sentenceOf('UNEXPECTED'))
  throw { errors: [what, ...why], fields }
}

/** What isn't changed stays as it is when the change is sent. */
export function useUpdateMe() {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    // One after the other, so that none undoes an earlier one.
    scope: { id: 'details' },
    meta: { showsFailure: true },
    mutationFn: (change: Partial<Input<typeof calls.updateMe>>) => {
      const { firstName, lastName, mobile } = client.getQueryData(currentUser.queryKey)!
      return api(calls.updateMe, { firstName, lastName, mobile, ...change })
    },
    // The response contains the whole person, so nothing has to be fetched again.
    onSuccess: (user) => client.setQueryData(currentUser.queryKey, user),
  })
  return (change: Parameters<typeof mutateAsync>[0]) =>
    mutateAsync(change).catch(failing(sentenceOf('USER_UPDATE_FAILED'), NOT_SAVED))
}

export function useUpdatePassword() {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    meta: { showsFailure: true },
    mutationFn: (passwords: Input<typeof calls.updatePassword>) => api(calls.updatePassword, passwords),
    onSuccess: ({ token }) => {
      const before = mainToken()
      if (before) renewToken(before, token)
      return client.invalidateQueries({ queryKey: mySessions.queryKey })
    },
  })
  return (passwords: Input<typeof calls.updatePassword>) =>
    mutateAsync(passwords).catch(failing(sentenceOf('PASSWORD_UPDATE_FAILED'), PERHAPS_CHANGED))
}

export const useChangeEmail = () => useForForm(calls.changeEmail, { unanswered: say(NOT_SAVED) })
export const useConfirmEmail = () => useCall(calls.confirmEmail, { showsFailure: true })

/** After a failed load, they are only loaded again when somebody presses Try again. */
export const mySessions = { ...query(calls.listSessions, {}), retryOnMount: false }

export const myLooks = { ...query(calls.listAccountAccess, {}), retryOnMount: false }

export const useEndSession = () => useCall(calls.endSession, { invalidates: [calls.listSessions] })
export const useEndOtherSessions = () =>
  useCall(calls.endOtherSessions, { invalidates: [calls.listSessions] })

export const useExportMyData = () => useCall(calls.exportMyData)
export const useDeleteAccount = () =>
  useForForm(calls.deleteAccount, {
    unanswered: say(
      'We couldn’t reach VetChat, so we don’t know whether your account has been deleted. Please try again.',
    ),
  })
