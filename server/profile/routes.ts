import * as calls from '#contract/profile.ts'
import { serve } from '../http/serve.ts'
import { listLooks } from './look-reads.ts'
import { exportMyData } from './export-reads.ts'
import { listSessions } from './reads.ts'
import * as writes from './writes.ts'

export const profileRoutes = serve(calls, {
  updateMe: writes.updateMe,
  updatePassword: writes.updatePassword,
  confirmPassword: writes.confirmPassword,
  changeEmail: writes.changeEmail,
  confirmEmail: writes.confirmEmail,
  listSessions,
  endSession: writes.endSession,
  endOtherSessions: writes.endOtherSessions,
  listLooks,
  exportMyData,
  deleteAccount: writes.deleteAccount,
})
