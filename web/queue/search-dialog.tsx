import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import * as lengths from '#contract/lengths.ts'
import { goTo } from '../lib/page-address.tsx'
import { dayAndTime } from '../lib/dates.ts'
import { caseBeside } from '../lib/room-address.ts'
import { PetFace } from '../pets/pet-face.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useId } from '../ui/id.ts'
import { Link } from '../ui/link.tsx'
import { TextField } from '../ui/text-field.tsx'
import { nameOf, standingOf } from '../consultations/case-words.ts'
import { everyConsultation } from './queries.ts'

const MOST = 12
const SAID = { waiting: 'Needs help', taken: 'In progress', ended: 'Ended', cancelled: 'Cancelled' }

/** Finds a case without leaving the console. Closing it returns the focus. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [typed, type] = useState('')
  const [at, setAt] = useState(0)
  const q = useDeferredValue(typed.trim())
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // Runs after the dialog has opened and taken the focus itself, and before the next key.
  useLayoutEffect(() => field.current?.focus(), [])
  const list = useInfiniteQuery({ ...everyConsultation('all', q), enabled: q !== '' })
  const found = q === '' ? [] : (list.data?.pages[0]?.consultations.slice(0, MOST) ?? [])
  const chosen = Math.min(at, found.length - 1)
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by && found.length > 0) {
      event.preventDefault()
      setAt((chosen + by + found.length) % found.length)
    } else if (event.key === 'Escape') {
      // The browser would first empty the field, and only close at the second press.
      event.preventDefault()
      onClose()
    } else if (event.key === 'Enter' && found[chosen]) {
      event.preventDefault()
      onClose()
      goTo(caseBeside(found[chosen].id))
    }
  }
  return (
    <Dialog title="Search all consults" onClose={onClose}>
      <TextField
        label="Number, or the start of an owner, pet or email"
        type="search"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
        ref={field}
        maxLength={lengths.search}
        value={typed}
        onChange={({ target }) => {
          type(target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <p role="status" className="text-14 text-ink-soft">
        {q !== '' && foundSaid(q, list, found.length)}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label="Consults" className="divide-y divide-line">
        {found.map((one, index) => (
          <Link
            key={one.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            href={caseBeside(one.id)}
            tabIndex={-1}
            onClick={onClose}
            className={`grid min-h-14 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 rounded-small px-2 py-2 text-14 text-inherit no-underline ${index === chosen ? 'bg-green-soft' : 'hover:bg-paper-sunk'}`}
          >
            <PetFace species={one.pet.species_id} size={32} />
            <span className="min-w-0 leading-snug">
              <b className="block truncate font-semi">{one.pet.name || 'No pet named'}</b>
              <span className="block truncate text-ink-soft">
                {nameOf(one)}, {one.id}
              </span>
            </span>
            <span className="text-right leading-snug text-ink-soft tabular-nums">
              {SAID[standingOf(one)]}
              <span className="block">{dayAndTime(one.start)}</span>
            </span>
          </Link>
        ))}
      </div>
    </Dialog>
  )
}

function foundSaid(
  q: string,
  { isError, isPending }: { isError: boolean; isPending: boolean },
  count: number,
) {
  if (isError) return 'We couldn’t search. Please try again.'
  if (isPending) return 'Searching…'
  if (count === 0) return `Nothing starts with “${q}”.`
  return count === 1 ? '1 consult' : `${count} consults`
}
