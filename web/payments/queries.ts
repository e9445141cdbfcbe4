import * as calls from '#contract/payments.ts'
import { api } from '../lib/api.ts'

/** A bank's customer answers its question; while no provider is set, in our own dialog. */
export const answerChallenge = (client_secret: string, succeed: boolean) =>
  api(calls.sandboxChallenge, { client_secret, succeed })
