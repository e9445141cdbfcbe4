import { useRef, useState } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import * as lengths from '#contract/lengths.ts'
import {
  ADMIN_REASON_MINUTES,
  MOST_EXTENDED_DAYS,
  type Person,
  type PersonsConsult,
  REASON_KINDS,
} from '#contract/people.ts'
import { DAY } from '#contract/time.ts'
import { briefDay, dayAndTime, time } from '../lib/dates.ts'
import { useIsPast } from '../lib/is-past.ts'
import { PetFace } from '../pets/pet-face.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { TwoLines } from '../ui/work-table.tsx'
import { ExtendDialog } from './extend-dialog.tsx'
import { consultSaid, countSaid } from './person-words.ts'
import { useOpenSummary } from './queries.ts'
import { Rows, Section } from '../ui/section.tsx'

/** The server doesn't send what the vet wrote until the administrator has given a reason. */
export const PersonConsults = ({ person }: { person: Person }) => (
  <Section
    title="Consults"
    said={countSaid(person.consults)}
    aside={
      <p className="text-14 text-ink-soft max-sm:hidden">Summaries are private to the vet and the owner</p>
    }
  >
    <Rows of={person.consults.latest} none="No consults yet.">
      {(consult) => <Consult key={consult.id} person={person} consult={consult} />}
    </Rows>
  </Section>
)

function Consult({ person, consult }: { person: Person; consult: PersonsConsult }) {
  const { id, pet, start, end, cancelled, vet_name, opened } = consult
  const [asks, ask] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const shown = useRef<HTMLDivElement>(null)
  const isOver = useIsPast(opened?.until ?? null)
  const reads = opened && !isOver ? opened : null
  const isClosed = end !== null && vet_name !== null && !cancelled
  useFocusAfter(asks && !reads, () => shown.current ?? opener.current)
  return (
    <li className="stack gap-3 px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:grid sm:grid-cols-[minmax(0,1fr)_9rem_10.5rem]">
        <div className="flex min-w-0 items-center gap-3 max-sm:basis-full">
          <PetFace species={pet.species_id} size={32} />
          <TwoLines
            first={
              <>
                <b className="font-semi">{pet.name || 'No pet named'}</b>, {consultSaid(consult)}
              </>
            }
            then={`${dayAndTime(start)}, no.\u00A0${id}`}
          />
        </div>
        <div className="text-14 text-ink-soft max-sm:grow">
          <Deadline person={person} consult={consult} />
        </div>
        <div className="justify-self-end sm:text-right">
          {reads ? (
            <Badge tone="green">Open until {time(reads.until)}</Badge>
          ) : isClosed ? (
            <Button
              ref={opener}
              size={36}
              icon={asks ? undefined : 'lock'}
              aria-expanded={asks}
              aria-label={asks ? `Close the reason for ${id}` : `Say why to open ${id}`}
              onClick={() => ask(!asks)}
            >
              {asks ? 'Close' : 'Say why to open'}
            </Button>
          ) : null}
        </div>
      </div>
      {asks && !reads && (
        <AskWhy id={id} owner={person.firstName || 'The owner'} onClose={() => ask(false)} />
      )}
      {reads && (
        <div ref={shown} tabIndex={-1} className="stack gap-1 border-l-3 border-green pl-4 outline-none">
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">
            {reads.summary ?? 'The vet didn’t write a summary.'}
          </p>
          {reads.plan && (
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">
              <span className="font-semi">Plan: </span>
              {reads.plan}
            </p>
          )}
          <p className="text-14 text-ink-soft">
            {reads.outcome && `${reads.outcome}. `}Open for you until {time(reads.until)}. Your reason:{' '}
            {reads.reason}
          </p>
        </div>
      )}
    </li>
  )
}

/** A consult's state and, while it is recent, a way to give its owner more time to write. */
function Deadline({ person, consult }: { person: Person; consult: PersonsConsult }) {
  const { id, end, cancelled, vet_name, follow_up_until: until } = consult
  const [extending, setExtending] = useState(false)
  const over = useIsPast(until)
  const isLate = useIsPast(end && new Date(Date.parse(end) + MOST_EXTENDED_DAYS * DAY).toISOString())
  if (cancelled) return 'Cancelled'
  if (end === null) return vet_name ? 'In progress' : 'Waiting for a vet'
  if (until === null) return 'Ended'
  return (
    <>
      {over ? 'Ended' : 'Writes until'} {briefDay(over ? end : until)}
      {!isLate && (
        <button
          type="button"
          aria-label={`Give the owner more time to write in consult ${id}`}
          className="-mx-1 block min-h-6 rounded-small px-1 font-semi text-green underline hover:bg-green-soft pointer-coarse:min-h-11"
          onClick={() => setExtending(true)}
        >
          Extend
        </button>
      )}
      {extending && (
        <ExtendDialog
          id={id}
          until={until}
          owner={person.firstName || 'The owner'}
          onClose={() => setExtending(false)}
        />
      )}
    </>
  )
}

const REASON_LENGTH = lengths.reason - 40

function AskWhy({ id, owner, onClose }: { id: number; owner: string; onClose: () => void }) {
  const open = useOpenSummary()
  const form = useForm({
    rules: (typed) => ({ words: typed.words.trim() === '' && sentenceOf('REASON_MISSING') }),
    defaults: { kind: 'refund', words: '' },
  })
  return (
    <Form
      form={form}
      className="stack gap-4 rounded-card bg-paper-sunk p-4"
      onSubmit={async (typed) => {
        await open({ id, kind: typed.kind as keyof typeof REASON_KINDS, words: typed.words.trim() })
        onClose()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <Select
          label="Why do you need to read it?"
          options={Object.entries(REASON_KINDS).map(([value, label]) => ({ value, label }))}
          {...form.field('kind')}
        />
        <TextField
          label={
            <>
              In a few words <span className="font-regular text-ink-soft">({owner} can read this)</span>
            </>
          }
          autoComplete="off"
          maxLength={REASON_LENGTH}
          {...form.field('words')}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="soft" size={36} busy={form.busy} busyLabel="Opening…">
          {`Open summary for ${ADMIN_REASON_MINUTES} minutes`}
        </Button>
        <Button variant="text" size={36} onClick={onClose}>
          Not now
        </Button>
      </div>
    </Form>
  )
}
