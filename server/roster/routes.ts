import * as calls from '#contract/roster.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const rosterRoutes = serve(calls, {
  listRoster: reads.listRoster,
  listFreeVets: reads.listFreeVets,
  addShift: writes.addShift,
  changeShift: writes.changeShift,
  removeShift: writes.removeShift,
  repeatWeek: writes.repeatWeek,
  offerShift: writes.offerShift,
  takeShift: writes.takeShift,
})
