import * as calls from '#contract/house.ts'
import { serve } from '../serve.ts'
import * as reads from './reads.ts'

export const houseRoutes = serve(calls, {
  health: reads.health,
})
