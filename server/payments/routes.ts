import * as calls from '#contract/payments.ts'
import { serve } from '../serve.ts'
import * as reads from './reads.ts'

export const paymentRoutes = serve(calls, {
  myPaymentMethod: reads.myPaymentMethod,
})
