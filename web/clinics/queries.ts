import * as calls from '#contract/clinics.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'

export const everyClinic = query(calls.listClinics, {})
export const invoicesOf = (id: number) => query(calls.listClinicInvoices, { id })

const invalidates = [calls.listClinics] as const

export const useAcceptInvitation = () => useForForm(calls.acceptClinicInvitation)
export const useAddClinic = () => useForForm(calls.addClinic, { invalidates })
export const useSaveClinic = () => useForForm(calls.saveClinic, { invalidates })
export const useDeleteClinic = () => useForForm(calls.deleteClinic, { invalidates })
export const useSetCredentials = () => useForForm(calls.setClinicCredentials, { invalidates })
export const useInviteClinic = () => useCall(calls.inviteClinic)
export const useAddClinicPerson = () => useForForm(calls.addClinicPerson, { invalidates })
export const useRemoveClinicPerson = () => useForForm(calls.removeClinicPerson, { invalidates })
export const useInvoiceMonth = () => useCall(calls.getInvoiceMonth)
