import * as calls from '#contract/clinics.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const clinicRoutes = serve(calls, {
  listClinics: reads.listClinics,
  addClinic: writes.addClinic,
  saveClinic: writes.saveClinic,
  deleteClinic: writes.deleteClinic,
  setClinicCredentials: writes.setClinicCredentials,
  inviteClinic: writes.inviteClinic,
  addClinicPerson: writes.addClinicPerson,
  removeClinicPerson: writes.removeClinicPerson,
  acceptClinicInvitation: writes.acceptClinicInvitation,
  listClinicInvoices: reads.listClinicInvoices,
  getInvoiceMonth: reads.getInvoiceMonth,
})
