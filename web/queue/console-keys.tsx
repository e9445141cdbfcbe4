import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { listen } from '../ui/listen.ts'
import { choices, choose } from '../lib/session.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Key } from '../ui/key.tsx'

const SINGLE = {
  j: 'next',
  k: 'previous',
  u: 'nextUnread',
  t: 'take',
  r: 'write',
  n: 'toNote',
  m: 'toMessages',
  h: 'handOver',
  v: 'video',
  l: 'level',
  p: 'privateNote',
  '?': 'showKeys',
} as const
type Act = (typeof SINGLE)[keyof typeof SINGLE]
export type Acts = Record<Act | 'toQueue' | 'search' | 'saved', () => void>

/** These lead to a text field, so what is typed after them is text. */
const TO_WRITE: readonly Act[] = ['take', 'write', 'toNote', 'privateNote']

/** These lead into the record, which loads after its case. */
const IN_RECORD: readonly Act[] = ['toNote', 'level']

/** While a dialog or a menu is open, it gets every key, even Escape. */
const OVER_ALL = 'dialog[open], [popover=auto]:popover-open'

const writesIn = (element: Element | null) =>
  element?.matches('input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]') ?? false

/**
 * Single keys work only outside text fields, dialogs and menus, and can be turned off. While the chosen case isn't
 * `there` yet, its keys wait for it, N and L for its record, and what is typed after T, R, N or P waits too. A key that
 * `isTyped` accepts belongs to a message box that hasn't appeared yet, and is no shortcut.
 */
export function useKeys(
  acts: Acts,
  { there, recordThere }: { there: boolean; recordThere: boolean },
  isTyped: (key: string) => boolean,
) {
  const [single, setSingle] = useState(() => choices()['keys'] !== false)
  const meant = useRef<{ act: Act; typed: string }>(undefined)
  const works = (act: Act) => there && (recordThere || !IN_RECORD.includes(act))
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const key = event.key.toLowerCase()
    const isOver = document.querySelector(OVER_ALL) !== null
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      if (key !== 'k' && key !== 's') return
      // In a dialog these keys do nothing, not even what the browser does with them.
      event.preventDefault()
      if (isOver) return
      if (key === 'k') acts.search()
      else acts.saved()
      return
    }
    if (isOver || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') {
      meant.current = undefined
      return acts.toQueue()
    }
    if (writesIn(document.activeElement)) return
    const isText = event.key.length === 1 || event.key === 'Enter'
    if (isText && isTyped(event.key)) return event.preventDefault()
    if (!single) return
    if (meant.current && TO_WRITE.includes(meant.current.act) && isText) {
      event.preventDefault()
      if (event.key !== 'Enter') meant.current.typed += event.key
      return
    }
    if (!(key in SINGLE)) return
    event.preventDefault()
    const act = SINGLE[key as keyof typeof SINGLE]
    const moves = act === 'next' || act === 'previous'
    meant.current = moves || works(act) ? undefined : { act, typed: '' }
    if (!meant.current) acts[act]()
  })
  const arrive = useEffectEvent(() => {
    if (!meant.current || !works(meant.current.act)) return
    const { act, typed } = meant.current
    meant.current = undefined
    acts[act]()
    if (!typed) return
    // Typed into the field, so that it is an input like any other.
    if (writesIn(document.activeElement)) document.execCommand('insertText', false, typed)
    else for (const key of typed) isTyped(key)
  })
  useEffect(() => {
    if (there) arrive()
  }, [there, recordThere])
  useEffect(() => listen(window, 'keydown', (event: KeyboardEvent) => press(event)), [])
  const turn = (on: boolean) => {
    choose({ keys: on ? undefined : false })
    setSingle(on)
  }
  return { single, turn }
}

/** Ctrl K goes to the bar's search, and / to the page's own search if it has one. The single key can be turned off. */
export function useSearchKeys(bar: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
      if (document.querySelector('dialog[open]')) return isK ? event.preventDefault() : undefined
      const isSlash = event.key === '/' && choices()['keys'] !== false && !writesIn(document.activeElement)
      if (!isK && !isSlash) return
      const own = document.querySelector<HTMLInputElement>('main input[type=search]')
      const field = isK ? (bar.current ?? own) : (own ?? bar.current)
      if (!field?.checkVisibility()) return
      event.preventDefault()
      field.focus()
      field.select()
    }
    return listen(window, 'keydown', hear)
  }, [bar])
}

const ALL: [what: string, keys: string[], isSingle: boolean][] = [
  ['Next, previous case', ['J', 'K'], true],
  ['Next unread', ['U'], true],
  ['Take this case', ['T'], true],
  ['Write', ['R'], true],
  ['Back to the queue', ['Esc'], false],
  ['Replies, in the message box', ['/'], false],
  ['Go to the note, go to the messages', ['N', 'M'], true],
  ['Video call, hand over', ['V', 'H'], true],
  ['Change how urgent it is', ['L'], true],
  ['Private note between vets', ['P'], true],
  ['Search', ['Ctrl K'], false],
  ['All shortcuts', ['?'], true],
]

export const KeysDialog = ({
  single,
  onTurn,
  onClose,
}: {
  single: boolean
  onTurn: (on: boolean) => void
  onClose: () => void
}) => (
  <Dialog small title="Keyboard shortcuts" onClose={onClose}>
    <dl className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2">
      {ALL.map(([what, keys, isSingle]) => (
        <div key={what} className={`contents ${isSingle && !single ? 'text-ink-soft line-through' : ''}`}>
          <dt>{what}</dt>
          <dd className="flex justify-end gap-1">
            {keys.map((key) => (
              <Key key={key}>{key}</Key>
            ))}
          </dd>
        </div>
      ))}
    </dl>
    <div className="border-t border-line pt-2">
      <Checkbox
        label="Use single-key shortcuts outside text fields"
        checked={single}
        onChange={({ target }) => onTurn(target.checked)}
      />
    </div>
  </Dialog>
)
