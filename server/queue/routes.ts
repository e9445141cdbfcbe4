import * as calls from '#contract/queue.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const queueRoutes = serve(calls, {
  takeConsultation: writes.takeConsultation,
  handBackConsultation: writes.handBackConsultation,
  handOverConsultation: writes.handOverConsultation,
  listFollowUps: reads.listFollowUps,
  snoozeConsultation: writes.snoozeConsultation,
  settleFollowUp: writes.settleFollowUp,
  setDuty: writes.setDuty,
  listDuty: reads.listDuty,
  listOwnersHere: reads.listOwnersHere,
  queueStatus: reads.queueStatus,
})
