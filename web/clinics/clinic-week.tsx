import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Clinic, DAY_IDS, type ClinicHoliday } from '#contract/clinics.ts'
import { isDay } from '#contract/fields.ts'
import { day, isoDay } from '../lib/dates.ts'
import { now as serverNow } from '../lib/session.ts'
import { clearDraft, leaveDraft, readDraft } from '../ui/form-draft.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateField } from '../ui/date-field.tsx'
import type { Refusal } from '../ui/form.tsx'
import { Key } from '../ui/key.tsx'
import { Note } from '../ui/note.tsx'
import { Select } from '../ui/select.tsx'
import { everyClinic, useSaveClinic } from './queries.ts'
import { cellsChanged, contactOf, newHoliday, sameContact, type WeekRow, weekOf } from './week-rules.ts'
import { WeekGrid } from './week-grid.tsx'

interface State {
  week: WeekRow[]
  holidays: WeekRow[]
  dayBegins: number
  minutes: number
  notify: Clinic['notify']
  invoice: boolean
}

const holidayRow = (one: ClinicHoliday): WeekRow => ({
  ...one,
  key: one.date,
  says: day(one.date),
})

const stateOf = (clinic: Clinic): State => ({
  week: weekOf(clinic),
  holidays: clinic.holidays.map(holidayRow),
  dayBegins: clinic.day_begins,
  minutes: clinic.escalation_minutes,
  notify: clinic.notify,
  invoice: clinic.meta.customerInvoice,
})

const hour = (at: number) => `${String(at).padStart(2, '0')}:00`

/** Whom to call by day, the holidays, and how the clinic wants to hear from us. A draft stays in this tab. */
export function ClinicWeek({ clinic }: { clinic: Clinic }) {
  const place = `clinic-week:${clinic.id}`
  // The version that the editing began with. Saving then notices a newer one that somebody else saved.
  const [draft] = useState(() => kept(place))
  const [from, setFrom] = useState(draft?.from ?? clinic)
  const [state, setState] = useState(draft?.state ?? stateOf(clinic))
  const [refused, setRefused] = useState<{ message: string; isOlder: boolean }>()
  const list = useQuery(everyClinic)
  const [busy, setBusy] = useState(false)
  const [date, setDate] = useState('')
  const [dateTrouble, setDateTrouble] = useState('')
  const dateBox = useRef<HTMLInputElement>(null)
  const foot = useRef<HTMLDivElement>(null)
  const save = useSaveClinic()
  const before = stateOf(from)
  const isChanged = JSON.stringify(before) !== JSON.stringify(state)
  const cells = cellsChanged(before.week, state.week)

  useEffect(() => {
    if (isChanged) leaveDraft(place, { from, state })
    else clearDraft(place)
  }, [place, from, state, isChanged])

  const change = (values: Partial<State>) => setState((now) => ({ ...now, ...values }))
  const begin = (fresh: Clinic) => {
    setFrom(fresh)
    setState(stateOf(fresh))
    setRefused(undefined)
  }
  // The pressed button disappears, so the focus moves to Save.
  const toSave = () => foot.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  const showSaved = () => {
    begin(clinic)
    toSave()
  }

  async function send(version: number) {
    setBusy(true)
    setRefused(undefined)
    try {
      const changed = DAY_IDS.flatMap((name, at) => {
        const now = contactOf(state.week[at]!)
        return sameContact(now, contactOf(before.week[at]!)) ? [] : [[`contact_${name}`, now] as const]
      })
      begin(
        await save({
          id: clinic.id,
          version,
          ...Object.fromEntries(changed),
          // Only what was changed here is sent, so that somebody else's changes stay.
          ...(JSON.stringify(state.holidays) !== JSON.stringify(before.holidays) && {
            holidays: state.holidays.map((row) => ({ date: row.key, ...contactOf(row) })),
          }),
          ...(state.dayBegins !== before.dayBegins && { day_begins: state.dayBegins }),
          ...(state.minutes !== before.minutes && { escalation_minutes: state.minutes }),
          ...(state.notify !== before.notify && { notify: state.notify }),
          ...(state.invoice !== before.invoice && { meta: { customerInvoice: state.invoice } }),
        }),
      )
    } catch (error) {
      const { errors, code } = error as Refusal
      const isOlder = code === 'CLINIC_CHANGED'
      if (isOlder) await list.refetch()
      setRefused({ message: errors?.[0] ?? 'We couldn’t save the clinic. Try again.', isOlder })
    } finally {
      setBusy(false)
    }
  }

  const theirs = changesSaid(before, stateOf(clinic))
  const copyMonday = () => {
    const monday = contactOf(state.week[0]!)
    change({ week: state.week.map((row, at) => (at > 0 && at < 5 ? { ...row, ...monday } : row)) })
  }
  const addHoliday = () => {
    const isThere = state.holidays.some(({ key }) => key === date)
    const trouble = !isDay(date)
      ? 'Enter a day, such as 25/12/2026.'
      : isThere
        ? 'That date is in the list.'
        : date < isoDay(serverNow())
          ? 'That date is past.'
          : ''
    setDateTrouble(trouble)
    if (trouble) return dateBox.current?.focus()
    const rows = [...state.holidays, holidayRow(newHoliday(date))]
    change({ holidays: rows.toSorted((a, b) => a.key.localeCompare(b.key)) })
    setDate('')
    // While it has the focus, the field shows what was typed.
    dateBox.current?.blur()
    dateBox.current?.focus()
  }

  return (
    <form
      className="stack gap-4"
      aria-label={`${clinic.clinic}: week`}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void send(from.version)
      }}
    >
      {clinic.version > from.version && !refused && (
        <Note tone="wait" title={`${clinic.saved_by ?? 'Somebody'} saved this clinic after you opened it.`}>
          {theirs && <p>{theirs}</p>}
          <button type="button" className="min-h-9 font-semi underline" onClick={showSaved}>
            Show what was saved
          </button>
        </Note>
      )}
      {refused && (
        <div role="alert">
          <Note tone={refused.isOlder ? 'wait' : 'bad'} title={refused.message}>
            {refused.isOlder && theirs && <p>{theirs}</p>}
            {refused.isOlder && (
              <div className="mt-2 flex flex-wrap gap-3">
                <Button size={36} onClick={showSaved}>
                  Show what was saved
                </Button>
                <Button
                  size={36}
                  onClick={() => {
                    toSave()
                    void send(clinic.version)
                  }}
                >
                  Save my changes too
                </Button>
              </div>
            )}
          </Note>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="t18">Who to call, by day</h3>
        <Button size={36} icon="copy" onClick={copyMonday}>
          Copy Monday to weekdays
        </Button>
      </div>
      <WeekGrid
        caption="Who to call, by day"
        rows={state.week}
        today={clinic.today.day}
        onChange={(week) => change({ week })}
      />
      <p className="text-14 text-ink-soft">
        At night a contact gets the case by SMS and by email. If they have no email of their own, it goes to
        the clinic’s.
      </p>
      <p
        aria-hidden="true"
        className="flex flex-wrap items-center gap-2 text-14 text-ink-soft @max-[53rem]:hidden pointer-coarse:hidden"
      >
        <Key>Tab</Key> next cell <Key>↓</Key> same cell, next day <Key>Ctrl D</Key> same as the day above
      </p>
      <h3 className="pt-2 t18">Holidays</h3>
      {state.holidays.length === 0 ? (
        <p className="text-14 text-ink-soft">
          On a holiday the clinic is closed, or somebody else is its contact.
        </p>
      ) : (
        <WeekGrid
          caption="Holidays"
          rows={state.holidays}
          onChange={(holidays) => change({ holidays })}
          onRemove={(row) => {
            change({ holidays: state.holidays.filter(({ key }) => key !== row.key) })
            dateBox.current?.focus()
          }}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Enter adds the date in the field inside */}
      <div
        className="flex flex-wrap items-start gap-3"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.target !== dateBox.current) return
          event.preventDefault()
          addHoliday()
        }}
      >
        <div className="w-44">
          <DateField
            label="Date"
            ref={dateBox}
            value={date}
            {...(dateTrouble && { error: dateTrouble })}
            onValueChange={(typed) => {
              setDate(typed)
              setDateTrouble('')
            }}
          />
        </div>
        <Button icon="calendar" className="mt-[1.875rem]" onClick={addHoliday}>
          Add holiday
        </Button>
      </div>
      <div className="grid gap-4 pt-2 min-[47.5rem]:grid-cols-3">
        <Select
          label="A day’s contact begins at"
          help={
            state.dayBegins === 0
              ? 'At midnight the next day’s contact takes over.'
              : `Until ${hour(state.dayBegins)} the night belongs to the day on which it began.`
          }
          value={state.dayBegins}
          onChange={({ target }) => change({ dayBegins: Number(target.value) })}
        >
          {Array.from({ length: 13 }, (_, at) => (
            <option key={at} value={at}>
              {hour(at)}
            </option>
          ))}
        </Select>
        <Select
          label="A contact has this long to answer"
          help="Then the next one is called."
          value={state.minutes}
          onChange={({ target }) => change({ minutes: Number(target.value) })}
        >
          {[...new Set([2, 3, 5, 10, 15, 20, 30, state.minutes])]
            .toSorted((a, b) => a - b)
            .map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutes === 1 ? '1 minute' : `${minutes} minutes`}
              </option>
            ))}
        </Select>
        <Select
          label="Mail about a consult"
          help="The portal shows it straight away in any case."
          value={state.notify}
          onChange={({ target }) => change({ notify: target.value as Clinic['notify'] })}
        >
          <option value="straight away">Straight away</option>
          <option value="in the morning">In the morning, after a night</option>
        </Select>
      </div>
      <Checkbox
        checked={state.invoice}
        onChange={({ target }) => change({ invoice: target.checked })}
        label={
          <>
            <span className="font-semi">Invoice this clinic</span>{' '}
            <span className="text-ink-soft">once a month for its phone consults</span>
          </>
        }
      />
      <div
        ref={foot}
        data-foot
        className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-line bg-paper py-3"
      >
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving…">
          Save clinic
        </Button>
        {isChanged && (
          <Button variant="line" onClick={showSaved}>
            Undo changes
          </Button>
        )}
        <p role="status" className="ml-auto text-14 text-ink-soft">
          {isChanged
            ? `${cells === 0 ? 'Changed' : cells === 1 ? '1 cell changed' : `${cells} cells changed`}, draft kept on this computer`
            : from !== clinic && from.version === clinic.version
              ? 'Saved'
              : ''}
        </p>
      </div>
    </form>
  )
}

/** What somebody else changed, in a sentence. */
function changesSaid(before: State, now: State): string {
  const days = now.week.filter((row, at) => !sameContact(contactOf(row), contactOf(before.week[at]!)))
  const differs = (...parts: (keyof State)[]) =>
    parts.some((part) => JSON.stringify(before[part]) !== JSON.stringify(now[part]))
  const changed = [
    ...days.map(({ says }) => says),
    ...(differs('holidays') ? ['the holidays'] : []),
    ...(differs('dayBegins', 'minutes', 'notify', 'invoice') ? ['the settings below'] : []),
  ]
  const named = new Intl.ListFormat('en').format(changed)
  return named && `${named.charAt(0).toUpperCase()}${named.slice(1)} changed.`
}

/** The draft in this tab, with the clinic as it was when typing began. */
function kept(place: string): { from: Clinic; state: State } | undefined {
  const { from, state } = readDraft(place)
  return from && state ? { from: from as Clinic, state: state as State } : undefined
}
