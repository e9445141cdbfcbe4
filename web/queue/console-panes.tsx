import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { Icon, type IconName } from '../ui/icon.tsx'
import type { VetCall } from '../video/vet-call.ts'
import { MESSAGES } from './console-case.tsx'
import { CHANGE_LEVEL } from './level-part.tsx'
import { useTab } from './record-pane.tsx'
import { Waits } from './staff-bar.tsx'

export type Pane = 'queue' | 'chat' | 'record'

const PANES: { pane: Pane; said: string; icon: IconName }[] = [
  { pane: 'queue', said: 'Queue', icon: 'list' },
  { pane: 'chat', said: 'Chat', icon: 'message-circle' },
  { pane: 'record', said: 'Record', icon: 'clipboard-list' },
]

/**
 * Which pane a small screen shows, which tab the record, and the ways to move the focus from pane to pane. It moves
 * straight away, because the vet's next key is already meant for that pane.
 */
export function usePanes(id: number, box: RefObject<HTMLTextAreaElement | null>, call: VetCall | undefined) {
  const [pane, setPane] = useState<Pane>('chat')
  const [tab, setTab] = useTab()
  const [noting, setNoting] = useState<number>()
  const focus = (next: Pane, find: string) => {
    flushSync(() => setPane(next))
    document.querySelector<HTMLElement>(find)?.focus()
  }
  /** During a call, the conversation may be closed. */
  const openChat = () => {
    flushSync(() => setPane('chat'))
    if (call) flushSync(() => call.store.showChat(true))
  }
  const toMessages = () => {
    openChat()
    document.querySelector<HTMLElement>(MESSAGES)?.focus()
  }
  return {
    pane,
    setPane,
    tab,
    setTab,
    isNoting: noting === id,
    toQueue: () => focus('queue', '#queue [tabindex="0"]'),
    toNote(find: string) {
      flushSync(() => setTab('note'))
      focus('record', document.querySelector(find) ? find : '#tab-note')
    },
    /** Opens the form that changes how urgent the case is, if this person may. */
    toLevel() {
      const button = document.getElementById(CHANGE_LEVEL)
      if (!button) return
      flushSync(() => {
        setTab('record')
        setPane('record')
      })
      if (button.ariaExpanded === 'false') button.click()
    },
    toMessages,
    /** Focuses the message box, or the messages if this person can't write. */
    write() {
      openChat()
      ;(box.current ?? document.querySelector<HTMLElement>(MESSAGES))?.focus()
    },
    openPrivateNote() {
      openChat()
      flushSync(() => setNoting(id))
      document.getElementById(`private-${id}`)?.focus()
    },
    closePrivateNote() {
      flushSync(() => setNoting(undefined))
      // In the message box, the next single key would become part of a message to the owner.
      toMessages()
    },
  }
}

/** Goes from pane to pane on a small screen. */
export const PaneBar = ({
  shown,
  onShow,
  waits,
}: {
  shown: Pane
  onShow: (pane: Pane) => void
  waits: number | undefined
}) => (
  <nav
    aria-label="Panes"
    className="hidden grid-cols-3 print:hidden! border-t border-line bg-card pb-[env(safe-area-inset-bottom)] text-14 max-[63.99rem]:grid"
  >
    {PANES.map(({ pane, said, icon }) => (
      <button
        key={pane}
        type="button"
        aria-current={pane === shown ? 'true' : undefined}
        onClick={() => onShow(pane)}
        className="relative grid min-h-14 justify-items-center gap-[2px] px-1 py-2 font-medium text-ink-soft focus-visible:-outline-offset-3 aria-[current]:font-semi aria-[current]:text-green"
      >
        <Icon name={icon} />
        {said}
        {pane === 'queue' && (
          <span className="absolute top-1 left-[calc(50%+8px)]">
            <Waits count={waits} />
          </span>
        )}
      </button>
    ))}
  </nav>
)
