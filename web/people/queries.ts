import { keepPreviousData } from '@tanstack/react-query'
import { listAccess } from '#contract/consultations.ts'
import * as calls from '#contract/people.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

/** People for these words. The previous list stays until the next one has loaded. */
export const peopleFor = (q: string) => ({
  ...query(calls.findPeople, { q }),
  placeholderData: keepPreviousData,
})

/** Opening a person is recorded, so it isn't repeated just because the window gets the focus. */
export const person = (id: number) => ({
  ...query(calls.openPerson, { id }),
  refetchOnWindowFocus: false,
  retryOnMount: false,
})

const invalidates = [calls.openPerson]

export const useOpenSummary = () =>
  useForForm(calls.openSummary, { invalidates: [...invalidates, listAccess] })
export const useExtendFollowUp = () => useForForm(calls.extendFollowUp, { invalidates })
export const useCancelForPerson = () => useForForm(calls.cancelForPerson, { invalidates })
export const useEndPersonSessions = () => useCall(calls.endPersonSessions, { invalidates })
export const useMailPasswordLink = () => useCall(calls.mailPasswordLink, { invalidates })
export const useResendToPerson = () => useCall(calls.resendToPerson, { invalidates })
