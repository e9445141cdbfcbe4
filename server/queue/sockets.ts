import * as calls from '#contract/queue.ts'
import { listen } from '../http/serve.ts'
import * as writes from './writes.ts'

export const queueSockets = listen(calls, writes)
