import * as chat from '#contract/chat.ts'
import { api, type CallOptions } from '../lib/api.ts'
import { query } from '../lib/queries.ts'

/* The conversation without a socket. */

const about = (consultation: number): CallOptions => ({ consultation, timeout: 15_000 })

export const readMessages = (which: { consultation: number; after?: number; before?: number }) =>
  api(chat.readMessages, which, about(which.consultation))

let early: { consultation: number; page: ReturnType<typeof readMessages> } | undefined

/** Asks for the latest messages together with the room; on a slow connection each answer takes seconds. */
export function readEarly(consultation: number) {
  const page = readMessages({ consultation })
  early = { consultation, page }
  page.catch(() => {
    if (early?.page === page) early = undefined
  })
}

/** The latest messages: what was asked for early, unless it failed, and later a new answer. */
export function readLatest(consultation: number) {
  const page = early?.consultation === consultation ? early.page : readMessages({ consultation })
  early = undefined
  return page
}

export const filesOf = (consultation: number) => query(chat.listFiles, { consultation })

export const sendMessageByCall = (message: { consultation: number; client_id: string; body: string }) =>
  api(chat.sendMessageByCall, message, about(message.consultation))

interface PartOf {
  consultation: number
  client_id: string
}

/** Sends a file, or what comes after its first bytes. The same client_id again is the same file. */
export function sendFile(
  { file, from, ...own }: PartOf & { file: File; from: number },
  onProgress: (sent: number) => void,
  signal: AbortSignal,
) {
  const rest = from > 0 ? new File([file.slice(from)], file.name, { type: file.type }) : file
  const { consultation } = own
  return api(chat.attachFile, { ...own, from, file: rest }, { consultation, onProgress, signal })
}

/** How much of a file the server has kept since its connection broke. */
export const readFilePart = (own: PartOf) => api(chat.readFilePart, own, about(own.consultation))

export const sendMarksByCall = (mark: { consultation: number; delivered: number; seen: number }) =>
  api(chat.sendMarksByCall, mark, about(mark.consultation))
