import * as calls from '#contract/portal.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const portalRoutes = serve(
  calls,
  {
    loginClinic: writes.loginClinic,
    listClinicConsultations: reads.listClinicConsultations,
    acceptConsultation: writes.acceptConsultation,
    resetClinicPassword: writes.resetClinicPassword,
    myClinic: reads.myClinic,
    setClinicMail: writes.setClinicMail,
    countDeferred: reads.countDeferred,
    countDeferredOf: reads.countDeferredOf,
    measureDeferred: reads.measureDeferred,
  },
  { listClinicConsultations: reads.versionOfClinicList },
)
