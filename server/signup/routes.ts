import * as calls from '#contract/signup.ts'
import { serve } from '../serve.ts'
import { signUpWithPolicy } from './writes.ts'

export const signupRoutes = serve(calls, { signUpWithPolicy })
