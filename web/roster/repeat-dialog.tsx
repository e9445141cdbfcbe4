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
  const repeat = useRepeatWeek()
  const [weeks, setWeeks] = useState(1)
  const [plan, setPlan] = useState<Plan>()
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState('')
  const found = useRef<HTMLDivElement>(null)
  const to = daysAfter(from, 7 * weeks)
  // The pressed button has disappeared.
  useEffect(() => {
    if (plan) found.current?.focus()
  }, [plan])

  async function ask(write: boolean) {
    setBusy(true)
    setWrong('')
    try {
      const answer = await repeat({ from, to, write })
      if (!write) return setPlan(answer)
      show(`${shiftsWords(answer.shifts.length)} added, ${weekWords(to)}.`)
      onRepeated(to)
    } catch (error) {
      setWrong((error as { errors?: string[] }).errors?.join(' ') ?? failed(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      onClose={onClose}
      title={`Repeat ${weekWords(from)}`}
      foot={
        plan ? (
          <Button
            variant="primary"
            busy={busy}
            busyLabel="Adding…"
            off={plan.shifts.length > 0 ? false : 'There is nothing to add.'}
            // The second click of a double-click would add shifts that nobody has read yet.
            onClick={({ detail }) => void (detail < 2 && ask(true))}
          >
            Add {shiftsWords(plan.shifts.length)}
          </Button>
        ) : (
          <Button variant="primary" busy={busy} busyLabel="Looking…" onClick={() => void ask(false)}>
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
          setPlan(undefined)
        }}
      >
        {WEEKS.map((count) => (
          <option key={count} value={count}>
            {weekWords(daysAfter(from, 7 * count))}
          </option>
        ))}
      </Select>
      {wrong && (
        <Note tone="bad" title={wrong}>
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
        <li key={`${day} ${times.from} ${name}`} className="grid leading-snug">
          <span className="font-semi">{name}</span>
          <span className="text-ink-soft tabular-nums">
            {midDay(day)}, {span(times)}
          </span>
        </li>
      ))}
    </ul>
  </section>
)
