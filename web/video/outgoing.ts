import type { Signal } from '#contract/video.ts'
import { ApiError } from '../lib/api.ts'
import { sendSignals } from './queries.ts'

const AGAIN_MS = 500
const MOST_AT_ONCE = 40

/**
 * Signals to the other page, sent one batch after the other so that they arrive in order. They wait until we know the
 * other page, and while the server can't be reached.
 */
export function openOutgoing(consultation: number, refused: () => void) {
  let waiting: Signal[] = []
  let from = ''
  let to: string | null = null
  let n = 0
  let isSending = false

  async function flush() {
    if (isSending || to === null || waiting.length === 0) return
    isSending = true
    await send({ consultation, device: from, to, n: ++n, signals: waiting.splice(0, MOST_AT_ONCE) })
    isSending = false
    void flush()
  }
  /** Sends a batch again until it is stored, or until its pages are no longer in the call. */
  async function send(batch: Parameters<typeof sendSignals>[0]): Promise<void> {
    if (batch.device !== from || batch.to !== to) return
    try {
      await sendSignals(batch)
    } catch (error) {
      if (error instanceof ApiError && error.status > 0 && error.status < 500) return refused()
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      return send(batch)
    }
  }
  return {
    add(signal: Signal) {
      waiting.push(signal)
      // Signals that are added together are sent together.
      setTimeout(() => void flush(), 0)
    },
    /** From now on, sends between these two pages. */
    send(own: string, other: string | null) {
      from = own
      to = other
      void flush()
    },
    drop() {
      waiting = []
    },
  }
}
