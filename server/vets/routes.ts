import * as calls from '#contract/vets.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const vetRoutes = serve(calls, {
  listVets: reads.listVets,
  inviteVet: writes.inviteVet,
  listVetCards: reads.listVetCards,
  findPerson: reads.findPerson,
  setUserType: writes.setUserType,
  saveVet: writes.saveVet,
})
