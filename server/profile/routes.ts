import * as calls from '#contract/profile.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const profileRoutes = serve(calls, {
  updateMe: writes.updateMe,
  updatePassword: writes.updatePassword,
  changeEmail: writes.changeEmail,
  confirmEmail: writes.confirmEmail,
  listSessions: reads.listSessions,
  endSession: writes.endSession,
  endOtherSessions: writes.endOtherSessions,
  exportMyData: reads.exportMyData,
  deleteAccount: writes.deleteAccount,
})
