import * as calls from '#contract/chat.ts'
import { listen } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const chatSockets = listen(calls, { ...reads, ...writes })
