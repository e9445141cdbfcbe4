import { type RulesReading, savePhoneDraft } from '#contract/phone.ts'
import { api } from '../lib/api.ts'
import { clearDraft, leaveDraft, readDraft } from '../ui/form-draft.ts'
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
export class PhoneDraftKeeper {
  #latest: Typed | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopped = false
  readonly #key: string
  #tell: (state: DraftState) => void = () => {}
  #tabs: BroadcastChannel | undefined

  constructor(key: string) {
    this.#key = key
  }

  /** Reports the draft's state, and when another tab recorded or discarded it. The returned function stops that. */
  watch(tell: (state: DraftState) => void, gone: () => void) {
    this.#tell = tell
    const tabs = new BroadcastChannel(CHANNEL)
    this.#tabs = tabs
    tabs.addEventListener('message', ({ data }) => {
      if (data !== this.#key) return
      this.#end()
      gone()
    })
    const online = () => void this.#send()
    addEventListener('online', online)
    return () => {
      this.#tell = () => {}
      tabs.close()
      removeEventListener('online', online)
      clearTimeout(this.#timer)
      void this.#send()
    }
  }

  keep(typed: Typed) {
    if (this.#stopped) return
    this.#latest = typed
    leaveDraft(TAB, { key: this.#key, ...typed })
    this.#tell(navigator.onLine ? 'saving' : 'kept here')
    this.#sendAfter(AFTER_MS)
  }

  /** For when the consult was recorded or discarded. */
  stop() {
    this.#end()
    this.#tabs?.postMessage(this.#key)
  }

  #end() {
    this.#stopped = true
    clearTimeout(this.#timer)
    clearDraft(TAB)
  }

  #sendAfter(ms: number) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#send(), ms)
  }

  async #send() {
    const typed = this.#latest
    if (!typed || this.#stopped) return
    try {
      const { saved_at, read } = await api(savePhoneDraft, { key: this.#key, ...draftFrom(typed) })
      if (this.#latest !== typed || this.#stopped) return
      this.#latest = undefined
      clearDraft(TAB)
      this.#tell({ saved: saved_at, read })
    } catch {
      if (this.#stopped) return
      this.#tell('kept here')
      this.#sendAfter(AGAIN_MS)
    }
  }
}
