import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import type { Draft } from '../chat/draft.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useId } from '../ui/id.ts'
import { Key } from '../ui/key.tsx'
import { replies } from './queries.ts'

const PLACE = /\{[a-z][a-z ]{1,30}\}/i
const EVERY_PLACE = new RegExp(PLACE, 'gi')

interface Reply {
  id: number
  title: string
  body: string
  own?: boolean
}

/** Replies whose title begins with the search come first, then those with it in the title, then in the text. */
export function matching(all: readonly Reply[], asked: string) {
  const rank = ({ title, body }: Reply) => {
    const at = title.toLowerCase().indexOf(asked)
    return at === 0 ? 0 : at > 0 ? 1 : body.toLowerCase().includes(asked) ? 2 : 3
  }
  return all.filter((one) => rank(one) < 3).toSorted((a, b) => rank(a) - rank(b))
}

export type Known = Record<string, string>

/** Fills in what is known. The rest stays a placeholder. */
export const filled = (body: string, known: Known) =>
  body.replace(EVERY_PLACE, (place) => wordFor(place, known) ?? place)

/** The word for a placeholder, capitalised if the placeholder is. */
function wordFor(place: string, known: Known) {
  const word = known[place.slice(1, -1).toLowerCase()]
  return word && /^\{[A-Z]/.test(place) ? word[0]!.toUpperCase() + word.slice(1) : word
}

/** Words for the pet's sex. If it isn't known, the placeholders stay for the vet to replace. */
export const sexWords = (sex: 1 | 2 | null | undefined): Known =>
  sex === 1 ? { he: 'he', him: 'him', his: 'his' } : sex === 2 ? { he: 'she', him: 'her', his: 'her' } : {}

export const unfilledIn = (words: string) => PLACE.exec(words)?.[0]

/** Canned replies, opened by a "/" at the start of the last line, which the reply replaces. It isn't sent yet. */
export function useReplies(
  { text, write }: Draft,
  known: Known,
  box: RefObject<HTMLTextAreaElement | null>,
  writes: boolean,
  onEdit: () => void,
) {
  const id = useId()
  const before = text.slice(0, text.lastIndexOf('\n') + 1)
  const line = text.slice(before.length)
  const asks = writes && line.startsWith('/')
  const all = useQuery({ ...replies, enabled: asks })
  const [shut, setShut] = useState(false)
  const [at, setAt] = useState(0)
  const asked = line.slice(1).trim().toLowerCase()
  const [last, setLast] = useState(asked)
  if (asked !== last) {
    setLast(asked)
    setAt(0)
  }
  if (!asks && shut) setShut(false)
  const open = asks && !shut
  const found = matching(all.data ?? [], asked)
  const chosen = Math.min(at, found.length - 1)

  useEffect(() => {
    const element = box.current
    if (!element || !open) return
    element.setAttribute('aria-controls', id)
    if (chosen >= 0) element.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
    return () => {
      element.removeAttribute('aria-controls')
      element.removeAttribute('aria-activedescendant')
    }
  }, [box, open, chosen, id])

  const put = (body: string) => {
    const whole = before + filled(body, known)
    write(whole)
    requestAnimationFrame(() => {
      const element = box.current
      if (!element) return
      element.focus()
      const place = unfilledIn(whole)
      const from = place ? whole.indexOf(place) : whole.length
      element.setSelectionRange(from, from + (place?.length ?? 0))
    })
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (!open) return
    const moves = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (moves && found.length > 0) {
      event.preventDefault()
      setAt((chosen + moves + found.length) % found.length)
    } else if (event.key === 'Enter') {
      // Never sends the typed search as a message.
      event.preventDefault()
      if (found[chosen]) put(found[chosen].body)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      // A slash that only opened the replies isn't left in the box, where it could be sent.
      if (line === '/') write(before.slice(0, -1))
      else setShut(true)
    }
  }

  const ask = () => {
    setShut(false)
    if (!asks) write(line === '' ? `${before}/` : `${text}\n/`)
    box.current?.focus()
  }

  function foundSaid() {
    if (all.isPending) return 'Loading…'
    if (all.isError) return 'We couldn’t load them. Press Esc and write as usual.'
    if (found.length === 0) return 'No replies match.'
    return asked && `for “${asked}”`
  }

  const unfilled = unfilledIn(text)
  const above = open ? (
    <div className="mb-2 overflow-clip rounded-[12px] border border-line bg-card text-14">
      <div className="flex items-center gap-2 border-b border-line py-1 pr-2 pl-4">
        <p role="status" className="mr-auto flex items-center gap-2 text-ink-soft">
          <Icon name="zap" size={16} />
          <b className="font-semi text-ink">Replies</b>
          {foundSaid()}
        </p>
        <Button
          variant="text"
          size={36}
          icon="pencil"
          className="px-2!"
          onPointerDown={(event) => event.preventDefault()}
          onClick={onEdit}
        >
          Your replies
        </Button>
      </div>
      <div id={id} role="listbox" aria-label="Replies" className="max-h-[min(34dvh,260px)] overflow-y-auto">
        {found.map(({ id: reply, title, body, own }, index) => (
          <button
            key={`${own} ${reply}`}
            id={`${id}-${index}`}
            type="button"
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => put(body)}
            className="grid min-h-11 w-full grid-cols-[148px_minmax(0,1fr)] items-center gap-x-3 px-4 py-2 text-left text-ink-soft hover:bg-paper-sunk aria-selected:bg-green-soft aria-selected:text-ink max-sm:grid-cols-[minmax(0,1fr)]"
          >
            <b className="truncate font-semi text-ink">
              {title}
              {own && <span className="font-regular text-ink-soft"> · yours</span>}
            </b>
            <span className={index === chosen ? '' : 'truncate'}>
              <Filled body={body} known={known} />
            </span>
          </button>
        ))}
      </div>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line bg-paper px-4 py-2 text-ink-soft pointer-coarse:hidden">
        <Key>↑</Key>
        <Key>↓</Key> choose <Key>Enter</Key> add to the message, not sent yet <Key>Esc</Key> close
      </p>
    </div>
  ) : unfilled ? (
    <p
      role="status"
      className="mb-2 flex items-start gap-2 rounded-small bg-amber-soft px-3 py-2 text-14 text-amber-soft-ink"
    >
      <Icon name="pencil" size={16} className="mt-[2px]" />
      Fill in {unfilled} before you send this.
    </p>
  ) : null

  return { above, press, unfilled, open, ask }
}

/** Marks what was filled in in green. */
function Filled({ body, known }: { body: string; known: Known }) {
  return body.split(/(\{[a-z][a-z ]{1,30}\})/i).map((part, at) => {
    const value = PLACE.test(part) ? wordFor(part, known) : undefined
    return value === undefined ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- The parts of one text, which never move.
      <b key={at} className="font-semi text-green">
        {value}
      </b>
    )
  })
}
