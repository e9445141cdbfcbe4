import * as calls from '#contract/line.ts'
import { serve } from '../serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const lineRoutes = serve(calls, {
  takeConsultation: writes.takeConsultation,
  handBackConsultation: writes.handBackConsultation,
  handOverConsultation: writes.handOverConsultation,
  setDuty: writes.setDuty,
  listDuty: reads.listDuty,
  getWaitAccuracy: reads.getWaitAccuracy,
  lineStatus: reads.lineStatus,
})
