import * as calls from '#contract/accounts.ts'
import { serve } from '../http/serve.ts'
import { askForClaimLink } from './claim-writes.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const accountRoutes = serve(calls, {
  login: writes.login,
  logout: writes.logout,
  me: reads.me,
  requestResetCode: writes.requestResetCode,
  resetPassword: writes.resetPassword,
  askForClaimLink,
  claimAccount: writes.claimAccount,
})
