import type { ReactNode } from 'react'
import type { CallState } from './call-state.ts'
import type { CallStore } from './call-store.ts'

export interface CallProps {
  store: CallStore
  /** The other side's full name, and what they are called in a sentence. */
  name: string
  called: string
  face: ReactNode
  /** The conversation. It's beside the picture, or over it on a phone. */
  chat: ReactNode
  unread: number
  /** The newest unread message, shown briefly while the chat is closed. */
  news: { seq: number; body: string } | undefined
  /** Receives a photo that the vet asked for. */
  onPhoto?: (photo: File) => void
  onText: () => void
}

/** Some of them, for a part of the call that shows its state. */
export type Part<Known extends keyof CallProps> = Pick<CallProps, Known> & { state: CallState }
