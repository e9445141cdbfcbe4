import * as calls from '#contract/phone.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const phoneRoutes = serve(calls, {
  listPhoneClinics: reads.listPhoneClinics,
  getPhoneDraft: reads.getPhoneDraft,
  savePhoneDraft: writes.savePhoneDraft,
  dropPhoneDraft: writes.dropPhoneDraft,
  recordPhoneConsultation: writes.recordPhoneConsultation,
  listPhoneConsultations: reads.listPhoneConsultations,
  reportPhoneConsultations: writes.reportPhoneConsultations,
})
