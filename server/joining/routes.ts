import * as calls from '#contract/joining.ts'
import { serve } from '../http/serve.ts'
import * as writes from './writes.ts'

export const joiningRoutes = serve(calls, writes)
