import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listPhoneClinics, listPhoneConsultations, type PhoneConsultation } from '#contract/phone.ts'
import * as calls from '#contract/phone.ts'
import { MINUTE } from '#contract/time.ts'
import { listVets } from '#contract/vets.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

/** The contact may change every hour, so a form that stays open fetches it again. */
export const phoneClinics = queryOptions({ ...query(listPhoneClinics, {}), refetchInterval: MINUTE })
/** Read when the form opens, and not again while somebody types. */
export const myPhoneDraft = queryOptions({
  ...query(calls.getPhoneDraft, {}),
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})
export const everyVet = query(listVets, {})

export const useDropPhoneDraft = () => useCall(calls.dropPhoneDraft)
export const useRecordPhone = () =>
  useForForm(calls.recordPhoneConsultation, {
    invalidates: [listPhoneConsultations, listPhoneClinics],
    unanswered: 'No connection. What you typed is kept: press again when you’re back online.',
  })

export const phoneConsultations = (asked: { page: number; q: string; from: string; to: string }) => {
  const { page, q, from, to } = asked
  return queryOptions({
    ...query(listPhoneConsultations, {
      page,
      q: q || undefined,
      from: from || undefined,
      to: to || undefined,
    }),
    placeholderData: keepPreviousData,
  })
}
export type { PhoneConsultation }
export const useReport = () => useForForm(calls.reportPhoneConsultations)
