import * as calls from '#contract/clinical.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const clinicalRoutes = serve(calls, {
  getRecord: writes.getRecord,
  saveNote: writes.saveNote,
  addToNote: writes.addToNote,
  saveReply: writes.saveReply,
  removeReply: writes.removeReply,
  addPrivateNote: writes.addPrivateNote,
  endConsultation: writes.endConsultation,
  sendSummary: writes.sendSummary,
  listReplies: reads.listReplies,
})
