import * as calls from '#contract/chat.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const chatRoutes = serve(calls, {
  readMessages: reads.readMessages,
  listFiles: reads.listFiles,
  sendMessageByCall: writes.sendMessage,
  sendMarksByCall: writes.sendMarks,
  attachFile: writes.attachFile,
})
