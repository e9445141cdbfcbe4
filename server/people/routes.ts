import * as calls from '#contract/people.ts'
import { serve } from '../http/serve.ts'
import { findPeople } from './search-reads.ts'
import * as writes from './writes.ts'

export const peopleRoutes = serve(calls, {
  findPeople,
  openPerson: writes.openPerson,
  openSummary: writes.openSummary,
  extendFollowUp: writes.extendFollowUp,
  endPersonSessions: writes.endPersonSessions,
  mailPasswordLink: writes.mailPasswordLink,
  resendToPerson: writes.resendToPerson,
  cancelForPerson: writes.cancelForPerson,
})
