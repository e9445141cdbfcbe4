import * as calls from '#contract/queue.ts'
import { listen } from '../http/serve.ts'
import { lookAt } from './writes.ts'

export const queueSockets = listen(calls, { lookAt })
