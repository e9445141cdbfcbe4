import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Room } from '#contract/consultations.ts'
import { sentenceOf } from '#contract/errors.ts'
import * as lengths from '#contract/lengths.ts'
import { type Level, LEVEL_NAMES, LEVELS } from '#contract/urgency.ts'
import { messageOf } from '../lib/for-form.ts'
import { dayAndTime } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { Key } from '../ui/key.tsx'
import { PillRadio } from '../ui/radio.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useChangeLevel } from './queries.ts'
import { LEVEL_LOOKS } from './urgency-chip.tsx'

const isHigher = (level: Level, than: Level) => LEVELS.indexOf(level) < LEVELS.indexOf(than)

interface Props {
  room: Room
  /** True for a vet, while the case is open. */
  changes: boolean
  singleKeys: boolean
}

export const CHANGE_LEVEL = 'change-level'

export function LevelPart({ room, changes, singleKeys }: Props) {
  const [open, setOpen] = useState(false)
  const { urgency, level: read } = room
  if (!urgency || !read) return null
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => document.getElementById(CHANGE_LEVEL)?.focus())
  }
  return (
    <section aria-labelledby="level" className="stack gap-2 border-b border-line p-4">
      <div className="flex min-h-9 flex-wrap items-center gap-2">
        <h2 id="level" className="font-semi">
          Urgency
        </h2>
        <span
          className={`inline-flex min-h-6 items-center rounded-full px-[10px] text-14 leading-none font-semi ${LEVEL_LOOKS[urgency.level]}`}
        >
          {LEVEL_NAMES[urgency.level]}
        </span>
        {changes && (
          <Button
            id={CHANGE_LEVEL}
            variant="text"
            size={36}
            aria-expanded={open}
            aria-keyshortcuts={singleKeys ? 'L' : undefined}
            className="ml-auto px-2!"
            onClick={() => setOpen(!open)}
          >
            Change{' '}
            {singleKeys && (
              <span className="pointer-coarse:hidden">
                <Key>L</Key>
              </span>
            )}
          </Button>
        )}
      </div>
      {changes && open && <ChangeForm room={room} now={urgency.level} onClose={close} />}
      <ul className="stack gap-1 leading-snug">
        {read.changes.map(({ from, to, reason, by, at }) => (
          <li key={at} className="grid grid-cols-[minmax(0,1fr)_auto] gap-3">
            <span className="break-words">
              {reason}{' '}
              <span className="block text-ink-soft">
                {by} {isHigher(to, from) ? 'raised' : 'lowered'} it from {LEVEL_NAMES[from].toLowerCase()},{' '}
                {dayAndTime(at)}
              </span>
            </span>
            <span className="whitespace-nowrap text-ink-soft">{LEVEL_NAMES[to]}</span>
          </li>
        ))}
        {read.reasons.map(({ says, ticked, level }) => (
          <li key={says} className="grid grid-cols-[minmax(0,1fr)_auto] gap-3">
            <span className="break-words">{ticked ? `Ticked: ${says}` : `“${says}”`}</span>
            <span className="whitespace-nowrap text-ink-soft">{LEVEL_NAMES[level]}</span>
          </li>
        ))}
      </ul>
      <p className="text-ink-soft">
        {read.version === ''
          ? 'The rules haven’t read this case.'
          : `${read.reasons.length === 0 ? 'The rules found nothing that can’t wait.' : ''} By rules version ${read.version}.${read.reasons.some(({ ticked }) => ticked) ? '' : ' No signs ticked.'}`.trim()}
      </p>
    </section>
  )
}

function ChangeForm({ room, now, onClose }: { room: Room; now: Level; onClose: () => void }) {
  const change = useChangeLevel()
  const [to, setTo] = useState<Level>(now)
  const [reason, setReason] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:checked')?.focus(), [])
  const missing =
    to === now
      ? 'Choose another level.'
      : reason.trim() === ''
        ? sentenceOf('LEVEL_REASON_MISSING')
        : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    if (missing || change.isPending) return
    change.mutate({ id: room.id, from: now, to, reason: reason.trim() }, { onSuccess: onClose })
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    }
    const isChoice = event.target instanceof HTMLInputElement && event.target.type === 'radio'
    const chosen =
      isChoice && !event.ctrlKey && !event.metaKey && !event.altKey && LEVELS[Number(event.key) - 1]
    if (!chosen) return
    event.preventDefault()
    setTo(chosen)
    form.current?.querySelector<HTMLInputElement>(`input[value=${chosen}]`)?.focus()
  }
  const says =
    to === now
      ? 'Change the level'
      : `${isHigher(to, now) ? 'Raise' : 'Lower'} to ${LEVEL_NAMES[to].toLowerCase()}`

  return (
    <form
      ref={form}
      aria-label="Change the urgency level"
      onSubmit={submit}
      className="rounded-card border border-line bg-card p-3"
    >
      <div role="presentation" onKeyDown={press} className="stack gap-3">
        <fieldset>
          <legend className="sr-only">Level</legend>
          <div className="flex flex-wrap gap-2">
            {LEVELS.map((level) => (
              <PillRadio
                key={level}
                name="level"
                value={level}
                checked={to === level}
                onChange={() => setTo(level)}
              >
                {LEVEL_NAMES[level]}
              </PillRadio>
            ))}
          </div>
        </fieldset>
        <TextField
          label="Reason"
          maxLength={lengths.reason}
          value={reason}
          autoComplete="off"
          onChange={({ target }) => setReason(target.value)}
        />
        <div className="flex flex-wrap items-start gap-2">
          <Button
            type="submit"
            variant="soft"
            size={36}
            busy={change.isPending}
            busyLabel="Saving…"
            off={missing}
          >
            {says}
          </Button>
          <Button variant="text" size={36} onClick={onClose}>
            Cancel
          </Button>
        </div>
        <ErrorLine>
          {change.error &&
            messageOf(
              change.error,
              'We didn’t get an answer. What you wrote is still here, so please try again.',
            )}
        </ErrorLine>
        <p className="text-ink-soft">
          {to === 'emergency' && to !== now && room.waiting
            ? 'The owner will be shown a clinic straight away. Only staff see your reason.'
            : 'Only staff see this.'}{' '}
          We use this to check how well the rules work.
        </p>
      </div>
    </form>
  )
}
