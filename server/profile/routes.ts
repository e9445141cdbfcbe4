import * as calls from '#contract/profile.ts'
import { serve } from '../http/serve.ts'
import { listLooks } from './look-reads.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const profileRoutes = serve(calls, {
  updateMe: writes.updateMe,
  updatePassword: writes.updatePassword,
  confirmPassword: writes.confirmPassword,
  changeEmail: writes.changeEmail,
  confirmEmail: writes.confirmEmail,
  listSessions: reads.listSessions,
  endSession: writes.endSession,
  endOtherSessions: writes.endOtherSessions,
  listLooks,
  exportMyData: reads.exportMyData,
  deleteAccount: writes.deleteAccount,
})
