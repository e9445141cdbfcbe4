import * as calls from '#contract/factor.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const factorRoutes = serve(calls, {
  getFactor: reads.getFactor,
  startFactor: writes.startFactor,
  checkFactor: writes.checkFactor,
  turnOnFactor: writes.turnOnFactor,
  turnOffFactor: writes.turnOffFactor,
  renewRecoveryCodes: writes.renewRecoveryCodes,
  removeFactor: writes.removeFactor,
})
