import * as chat from '#contract/chat.ts'
import { api, type CallOptions } from '../lib/api.ts'
import { query } from '../lib/queries.ts'

/* The conversation without a socket. */

const about = (consultation: number): CallOptions => ({ consultation, timeout: 15_000 })

export const readMessages = (which: { consultation: number; after?: number; before?: number }) =>
  api(chat.readMessages, which, about(which.consultation))

export const filesOf = (consultation: number) => query(chat.listFiles, { consultation })

export const sendMessageByCall = (message: { consultation: number; client_id: string; body: string }) =>
  api(chat.sendMessageByCall, message, about(message.consultation))

/** Sends a file. The same client_id again is the same file. */
export const sendFile = (
  consultation: number,
  { id, file }: { id: string; file: File },
  onProgress: (sent: number) => void,
  signal?: AbortSignal,
) =>
  api(
    chat.attachFile,
    { consultation, client_id: id, file },
    { consultation, onProgress, ...(signal && { signal }) },
  )

export const sendMarksByCall = (mark: { consultation: number; delivered: number; seen: number }) =>
  api(chat.sendMarksByCall, mark, about(mark.consultation))
