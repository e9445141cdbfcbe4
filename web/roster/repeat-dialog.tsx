import { useEffect, useRef, useState } from 'react'
import type { Output } from '#contract/call.ts'
import { daysAfter } from '#contract/regions.ts'
import type { repeatWeek } from '#contract/roster.ts'
import { failed } from '../lib/api.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Note } from '../ui/note.tsx'
import { Select } from '../ui/select.tsx'
import { TwoLines } from '../ui/work-table.tsx'
import { useRepeatWeek } from './queries.ts'
import { midDay, span, weekWords } from './roster-words.ts'

type Plan = Output<typeof repeatWeek>

const WEEKS = [1, 2, 3, 4]
const shiftsWords = (count: number) => (count === 1 ? '1 shift' : `${count} shifts`)

/** Copies the week on the page to a later one, after showing what will be added. */
export function RepeatDialog({
  from,
  onClose,
  onRepeated,
}: {
  from: string
  onClose: () => void
  onRepeated: (to: string) => void
}) {
  const { show } = useAlert()
  const look = useRepeatWeek()
  const add = useRepeatWeek()
  const [weeks, setWeeks] = useState(1)
  const found = useRef<HTMLDivElement>(null)
  const plan = look.data
  const trouble = look.error ?? add.error
  const to = daysAfter(from, 7 * weeks)
  // The pressed button has disappeared.
  useEffect(() => {
    if (plan) found.current?.focus()
  }, [plan])

  const repeat = () =>
    void add.mutateAsync({ from, to, write: true }).then(
      ({ shifts }) => {
        show(`${shiftsWords(shifts.length)} added, ${weekWords(to)}.`)
        onRepeated(to)
      },
      () => {},
    )

  return (
    <Dialog
      onClose={onClose}
      title={`Repeat ${weekWords(from)}`}
      foot={
        plan ? (
          <Button
            variant="primary"
            busy={add.isPending}
            busyLabel="Adding…"
            off={plan.shifts.length > 0 ? false : 'There is nothing to add.'}
            // The second click of a double-click would add shifts that nobody has read yet.
            onClick={({ detail }) => detail < 2 && repeat()}
          >
            Add {shiftsWords(plan.shifts.length)}
          </Button>
        ) : (
          <Button
            variant="primary"
            busy={look.isPending}
            busyLabel="Looking…"
            onClick={() => look.mutate({ from, to, write: false })}
          >
            Show what it would add
          </Button>
        )
      }
      keeps="Cancel"
    >
      <Select
        label="To"
        value={weeks}
        onChange={({ target }) => {
          setWeeks(Number(target.value))
          look.reset()
          add.reset()
        }}
        options={WEEKS.map((value) => ({ value, label: weekWords(daysAfter(from, 7 * value)) }))}
      />
      {trouble && (
        <Note tone="bad" title={failed(trouble)}>
          Nothing was added.
        </Note>
      )}
      <div ref={found} role="status" tabIndex={-1} className="stack gap-4 outline-none">
        {plan && (
          <>
            <List title={`${shiftsWords(plan.shifts.length)} to add`} of={plan.shifts} />
            {plan.left_out.length > 0 && (
              <List
                title={`${shiftsWords(plan.left_out.length)} left out: already planned, past, or no longer a vet`}
                of={plan.left_out}
              />
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

const List = ({ title, of }: { title: string; of: Plan['shifts'] }) => (
  <section className="stack gap-2">
    <h3 className="font-semi">{title}</h3>
    <ul className="grid gap-x-6 gap-y-3 text-14 sm:grid-cols-2">
      {of.map(({ name, day, ...times }) => (
        <li key={`${day} ${times.from} ${name}`}>
          <TwoLines bold first={name} then={`${midDay(day)}, ${span(times)}`} />
        </li>
      ))}
    </ul>
  </section>
)
