import { useEffect, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { missingIn, type Note, OUTCOMES } from '#contract/clinical.ts'
import type { Room } from '#contract/consultations.ts'
import * as lengths from '#contract/lengths.ts'
import { messageOf } from '../lib/for-form.ts'
import { dayAndTime, timeOrDay } from '../lib/dates.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { PillRadio } from '../ui/radio.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { FOR_OWNER, FOR_VETS, NAMES, type Parts, type SaveState, useNote } from './note-state.ts'
import { BothDialog, SignDialog } from './note-sign.tsx'
import { hasTextDraft, useTextDraft } from '../ui/text-draft.ts'
import { useAddToNote } from './queries.ts'

const HINTS: Partial<Record<keyof Parts, string>> = {
  history: 'as the owner told it',
  findings: 'seen in pictures, counted by the owner',
}

interface NoteProps {
  room: Room
  note: Note
  why: string
  /** Only the vet who has the case can write. */
  writes: boolean
}

/** The clinical note. The vet who has the case can edit it until it's signed. */
export function NotePane({ room, note, why, writes }: NoteProps) {
  if (note.signed_at) return <Signed room={room} note={note} writes={writes} />
  if (writes && room.end === null) return <OpenNote key={room.id} {...{ room, note, why }} />
  // Somebody who recorded a phone call may have written advice without a note.
  const written = note.saved_at ? note : room.advice && { ...NO_NOTE, ...room.advice }
  return (
    <Section aside={note.saved_at ? `Saved ${timeOrDay(note.saved_at)}` : room.end ? '' : 'Nothing yet'}>
      <Additions note={note} />
      {written ? (
        <Locked note={written} owner={ownerOf(room)} />
      ) : (
        <p className="text-ink-soft">
          {room.end ? 'No note was written.' : 'The vet who takes the case writes it.'}
        </p>
      )}
    </Section>
  )
}

const NO_NOTE = { history: '', findings: '', assessment: '', outcome: null }

const ownerOf = ({ user }: Room) => user.firstName || 'the owner'

function OpenNote({ room, note, why }: Omit<NoteProps, 'writes'>) {
  const { parts, save, write, flush, settle, seeTheirs, version } = useNote(room.id, why, note)
  const [asks, setAsks] = useState<'sign' | 'both'>()
  useFocusAfter(save.is === 'elsewhere', () => document.getElementById('note'))
  const owner = ownerOf(room)
  const missing = missingIn(parts)
  const part = (name: keyof Omit<Parts, 'outcome'>) => (
    <Part
      key={name}
      id={`note-${name}`}
      label={NAMES[name]}
      hint={HINTS[name]}
      value={parts[name]}
      onWrite={(value) => write({ [name]: value })}
      onLeave={() => void flush()}
    />
  )
  return (
    <>
      <Section aside={<SaveLine state={save} onBoth={() => (seeTheirs(), setAsks('both'))} />}>
        <Additions note={note} />
        {FOR_VETS.map(part)}
        <h3 className="mt-2 border-t border-line pt-4 font-semi">
          For {owner} <span className="font-regular text-ink-soft">who will read this</span>
        </h3>
        {FOR_OWNER.map(part)}
        <fieldset>
          <legend className="mb-[6px] font-semi">{NAMES.outcome}</legend>
          <div className="flex flex-wrap gap-[6px]">
            {Object.entries(OUTCOMES).map(([value, said]) => (
              <PillRadio
                key={value}
                name={`outcome-${room.id}`}
                checked={parts.outcome === value}
                onChange={() => write({ outcome: value as NonNullable<Parts['outcome']> })}
              >
                {said}
              </PillRadio>
            ))}
          </div>
        </fieldset>
      </Section>
      <footer className="sticky bottom-0 z-1 flex items-center gap-3 border-t border-line bg-card px-4 py-3">
        <p id="sign-missing" className="text-ink-soft">
          {missing.length > 0
            ? `Missing: ${missing.join(', ')}.`
            : 'Signing locks the note and ends the consult.'}
        </p>
        <button
          type="button"
          id="end"
          className={`${buttonLook({ size: 44 })} ml-auto flex-none text-14!`}
          aria-disabled={missing.length > 0 || undefined}
          aria-describedby="sign-missing"
          onClick={() => {
            if (missing.length === 0) setAsks('sign')
          }}
        >
          <Icon name="lock" />
          Sign and end
        </button>
      </footer>
      {asks === 'sign' && (
        <SignDialog
          room={room}
          parts={parts}
          onFlush={flush}
          version={version}
          onClose={() => setAsks(undefined)}
        />
      )}
      {asks === 'both' && save.is === 'elsewhere' && (
        <BothDialog
          here={parts}
          theirs={save.theirs}
          onKeep={(which, theirs) => {
            settle(which, theirs)
            setAsks(undefined)
          }}
          onClose={() => setAsks(undefined)}
        />
      )}
    </>
  )
}

function SaveLine({ state, onBoth }: { state: SaveState; onBoth: () => void }) {
  const trouble = state.is === 'elsewhere' || state.is === 'refused'
  return (
    <>
      {/* At each pause in the typing, so it isn't read out. */}
      {state.is === 'saved' && <State icon="check">Saved {timeOrDay(state.at)}</State>}
      {state.is === 'saving' && (
        <span className="flex items-start gap-[6px]">
          <Spinner />
          Saving…
        </span>
      )}
      <span role="status">
        {state.is === 'unsaved' && (
          <State icon="wifi-off" look="text-amber-soft-ink">
            Not saved yet. Kept on this computer, trying again
          </State>
        )}
        {trouble && (
          <State icon="circle-alert" look="text-red">
            {state.is === 'refused' ? state.why : 'Changed in your other window.'}
          </State>
        )}
      </span>
      {state.is === 'elsewhere' && (
        <button
          type="button"
          className="flex-none self-start text-red underline underline-offset-3 pointer-coarse:min-h-11"
          onClick={onBoth}
        >
          See both
        </button>
      )}
    </>
  )
}

const State = ({ icon, look = '', children }: { icon: IconName; look?: string; children: ReactNode }) => (
  <span className={`flex items-start gap-[6px] tabular-nums ${look}`}>
    <Icon name={icon} size={16} className={`mt-[2px] ${icon === 'check' ? 'text-green' : ''}`} />
    {children}
  </span>
)

const Section = ({ aside, children }: { aside: ReactNode; children: ReactNode }) => (
  <section aria-labelledby="note" className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
    <div className="flex items-start justify-between gap-2">
      <h2 id="note" tabIndex={-1} className="flex-none font-semi">
        Clinical note
      </h2>
      <div className="flex flex-wrap justify-end gap-x-2 text-right text-ink-soft">{aside}</div>
    </div>
    {children}
  </section>
)

const Part = ({
  id,
  label,
  hint,
  value,
  onWrite,
  onLeave,
}: {
  id: string
  label: string
  hint: string | undefined
  value: string
  onWrite: (value: string) => void
  onLeave: () => void
}) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-[6px]">
    <p>
      <label htmlFor={id} className="font-semi">
        {label}
      </label>
      {hint && (
        <span id={`${id}-hint`} className="ml-2 text-ink-soft">
          {hint}
        </span>
      )}
    </p>
    <textarea
      id={id}
      aria-describedby={hint && `${id}-hint`}
      rows={1}
      maxLength={lengths.note}
      value={value}
      onChange={({ target }) => onWrite(target.value)}
      onBlur={onLeave}
      className="control max-h-[40vh] min-h-10! resize-none px-3! py-2! text-14! [field-sizing:content] not-supports-[field-sizing:content]:min-h-24!"
    />
  </div>
)

const Locked = ({ note, owner }: { note: Parts; owner: string }) => {
  const shown = (names: readonly (keyof Omit<Parts, 'outcome'>)[]) =>
    names
      .filter((name) => note[name])
      .map((name) => (
        <div key={name}>
          <dt className="font-semi">{NAMES[name]}</dt>
          <dd className="mt-1 rounded-small border border-line bg-paper-sunk px-3 py-2 whitespace-pre-line">
            {note[name]}
          </dd>
        </div>
      ))
  return (
    <>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-3">{shown(FOR_VETS)}</dl>
      {FOR_OWNER.some((name) => note[name]) && (
        <>
          <h3 className="mt-2 border-t border-line pt-4 font-semi">For {owner}</h3>
          <dl className="grid grid-cols-[minmax(0,1fr)] gap-3">{shown(FOR_OWNER)}</dl>
        </>
      )}
      {note.outcome && (
        <p>
          <span className="font-semi">{NAMES.outcome}</span> {OUTCOMES[note.outcome]}
        </p>
      )}
    </>
  )
}

/** Hand-over messages come before the note, additions after signing come below it. */
function Additions({ note, kind = 'hand_over' }: { note: Note; kind?: 'hand_over' | 'addition' }) {
  const shown = note.additions.filter((one) => one.kind === kind)
  if (shown.length === 0) return null
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {shown.map(({ by, body, at }) => (
        <li key={`${at} ${by}`} className="border-l-3 border-amber pl-3">
          <p className="font-semi">
            {kind === 'addition' ? 'Added' : 'Handed over'} {dayAndTime(at)}, {by}
          </p>
          <p className="whitespace-pre-line">{body}</p>
        </li>
      ))}
    </ul>
  )
}

/** A signed note never changes. Additions appear below it with name and time. */
function Signed({ room, note, writes }: Pick<NoteProps, 'room' | 'note' | 'writes'>) {
  const [adds, setAdds] = useState<'kept' | 'pressed' | undefined>(() =>
    hasTextDraft(additionTo(room.id)) ? 'kept' : undefined,
  )
  const opener = useRef<HTMLDivElement>(null)
  const done = () => {
    flushSync(() => setAdds(undefined))
    opener.current?.querySelector('button')?.focus()
  }
  return (
    <Section
      aside={
        <State icon="lock">
          Signed {timeOrDay(note.signed_at!)} by {note.signed_by}
        </State>
      }
    >
      <Additions note={note} />
      <Locked note={note} owner={ownerOf(room)} />
      <Additions note={note} kind="addition" />
      {writes &&
        (adds ? (
          <Adding id={room.id} focuses={adds === 'pressed'} onDone={done} />
        ) : (
          <div ref={opener}>
            <Button size={44} icon="plus" className="text-14!" onClick={() => setAdds('pressed')}>
              Add to this note
            </Button>
          </div>
        ))}
    </Section>
  )
}

const additionTo = (id: number) => `addition:${id}`

function Adding({ id, focuses, onDone }: { id: number; focuses: boolean; onDone: () => void }) {
  const { mutateAsync, isPending } = useAddToNote()
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (focuses) box.current?.focus()
  }, [focuses])
  const { words: body, write, forget } = useTextDraft(additionTo(id))
  const [trouble, setTrouble] = useState('')
  const done = () => {
    forget()
    onDone()
  }
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isPending) return
        if (body.trim() === '') {
          setTrouble('Write the addition first.')
          return box.current?.focus()
        }
        mutateAsync({ id, body }).then(done, (error: unknown) =>
          setTrouble(messageOf(error, 'It wasn’t added. What you wrote is still here.')),
        )
      }}
    >
      <label htmlFor="note-add" className="font-semi">
        What would you like to add?
      </label>
      <textarea
        id="note-add"
        ref={box}
        rows={3}
        maxLength={lengths.issue}
        value={body}
        aria-invalid={trouble ? true : undefined}
        aria-describedby={trouble ? 'note-add-error' : undefined}
        onChange={({ target }) => {
          write(target.value)
          setTrouble('')
        }}
        className="control text-14!"
      />
      <ErrorLine id="note-add-error">{trouble}</ErrorLine>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" size={44} className="text-14!" busy={isPending}>
          Add
        </Button>
        <Button size={44} className="text-14!" onClick={done}>
          Discard
        </Button>
      </div>
    </form>
  )
}
