import * as calls from '#contract/chat.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'
import { sendMarks, sendMessage } from './writes.ts'

export const chatRoutes = serve(calls, {
  ...reads,
  ...writes,
  sendMessageByCall: sendMessage,
  sendMarksByCall: sendMarks,
})
