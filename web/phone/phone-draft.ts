import { type RulesReading, savePhoneDraft } from '#contract/phone.ts'
import { api } from '../lib/api.ts'
import { clearDraft, leaveDraft, readDraft } from '../ui/form-draft.ts'
import { listen, together } from '../ui/listen.ts'
import { draftFrom, type Typed } from './phone-rules.ts'

const TAB = 'phone'
/** Tabs of one vet share a draft, so they tell each other when it ends. */
const CHANNEL = 'vetchat:phone'
const AFTER_MS = 600
const AGAIN_MS = 10_000

/** What this tab has stored: the form's key and its texts, until the server has them. */
export function keptInTab(): { key: string; typed: Typed } | undefined {
  const { key, ...typed } = readDraft(TAB) as Record<string, string>
  return key ? { key, typed: typed as unknown as Typed } : undefined
}

export type DraftState = 'nothing' | 'saving' | 'kept here' | { saved: string; read: RulesReading }

/** Saves a form to the server during typing, and in the tab until the server has it. */
export function openPhoneDraft(key: string) {
  let latest: Typed | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let tell: (state: DraftState) => void = () => {}
  let tabs: BroadcastChannel | undefined

  function end() {
    stopped = true
    clearTimeout(timer)
    clearDraft(TAB)
  }
  function sendAfter(ms: number) {
    clearTimeout(timer)
    timer = setTimeout(send, ms)
  }
  async function send() {
    const typed = latest
    if (!typed || stopped) return
    try {
      const { saved_at, read } = await api(savePhoneDraft, { key, ...draftFrom(typed) })
      if (latest !== typed || stopped) return
      latest = undefined
      clearDraft(TAB)
      tell({ saved: saved_at, read })
    } catch {
      if (stopped) return
      tell('kept here')
      sendAfter(AGAIN_MS)
    }
  }

  return {
    /** Reports the draft's state, and when another tab recorded or discarded it. The returned function stops that. */
    watch(told: (state: DraftState) => void, gone: () => void) {
      tell = told
      const channel = new BroadcastChannel(CHANNEL)
      tabs = channel
      return together(
        listen(channel, 'message', ({ data }: MessageEvent) => {
          if (data !== key) return
          end()
          gone()
        }),
        listen(window, 'online', send),
        () => {
          tell = () => {}
          channel.close()
          clearTimeout(timer)
          void send()
        },
      )
    },
    keep(typed: Typed) {
      if (stopped) return
      latest = typed
      leaveDraft(TAB, { key, ...typed })
      tell(navigator.onLine ? 'saving' : 'kept here')
      sendAfter(AFTER_MS)
    },
    /** For when the consult was recorded or discarded. */
    stop() {
      end()
      tabs?.postMessage(key)
    },
  }
}
