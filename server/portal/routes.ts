import * as calls from '#contract/portal.ts'
import { serve } from '../http/serve.ts'
import * as deferredReads from './deferred-reads.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const portalRoutes = serve(
  calls,
  {
    loginClinic: writes.loginClinic,
    readClinicSignOut: reads.readClinicSignOut,
    listClinicConsultations: reads.listClinicConsultations,
    acceptConsultation: writes.acceptConsultation,
    resetClinicPassword: writes.resetClinicPassword,
    myClinic: reads.myClinic,
    setClinicMail: writes.setClinicMail,
    countDeferred: deferredReads.countDeferred,
    countDeferredOf: deferredReads.countDeferredOf,
    measureDeferred: deferredReads.measureDeferred,
  },
  { listClinicConsultations: reads.versionOfClinicList },
)
