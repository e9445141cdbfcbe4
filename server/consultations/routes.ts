import * as calls from '#contract/consultations.ts'
import { serve } from '../http/serve.ts'
import * as levels from './level-writes.ts'
import * as lists from './list-reads.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const consultationRoutes = serve(
  calls,
  {
    listConsultations: lists.listConsultations,
    listOpen: lists.listOpen,
    startConsultation: writes.startConsultation,
    getConsultation: writes.getConsultation,
    changeLevel: levels.changeLevel,
    cancelConsultation: writes.cancelConsultation,
    askForMail: writes.askForMail,
    rateConsultation: writes.rateConsultation,
    listAccess: reads.listAccess,
    loginByLink: writes.loginByLink,
  },
  { listConsultations: lists.versionOfLists },
)
