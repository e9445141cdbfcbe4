import * as calls from '#contract/aftercare.ts'
import { getConsultation, rateConsultation } from '#contract/consultations.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'
import { say } from '../ui/say.ts'

const changesRoom = (id: number) =>
  ({ invalidates: [getConsultation], options: { consultation: id }, showsFailure: true }) as const

export const useRate = (id: number) =>
  useForForm(rateConsultation, {
    ...changesRoom(id),
    unanswered: say('We couldn’t reach VetChat. Your rating is still here.'),
  })
export const useCheckIn = (id: number) => useCall(calls.checkIn, changesRoom(id))
export const useReopen = (id: number) => useForForm(calls.reopenConsultation, changesRoom(id))
export const useChooseClinic = (id: number) =>
  useCall(calls.chooseClinic, { ...changesRoom(id), invalidates: [getConsultation, calls.listShares] })

/** The clinics that it was shared with, and the one that is probably the owner's. */
export const sharesOf = (id: number) => query(calls.listShares, { id }, { consultation: id })

/** Clinics whose name or town begins with `q`. */
export const clinicsFound = (id: number, q: string) => query(calls.findClinics, { q }, { consultation: id })

export const planFile = (id: number) => query(calls.getPlanFile, { id }, { consultation: id })
