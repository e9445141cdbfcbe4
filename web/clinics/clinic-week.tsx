import { useEffect, useRef, useState } from 'react'
import type { Clinic } from '#contract/clinics.ts'
import { isDay } from '#contract/fields.ts'
import { isoDay } from '../lib/dates.ts'
import { now as serverNow } from '../lib/session.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Key } from '../ui/key.tsx'
import { Note } from '../ui/note.tsx'
import { Select } from '../ui/select.tsx'
import { WeekGrid } from './week-grid.tsx'
import { contactOf, daysWithoutSms, newHoliday, type WeekRow, type Wrong } from './week-rules.ts'
import { holidayRow, useWeek, type Week } from './week-state.ts'

/** Whom to call by day, the holidays, and how the clinic wants to hear from us. */
export function ClinicWeek({ clinic }: { clinic: Clinic }) {
  const editing = useWeek(clinic)
  const { week, change, isChanged, cells, isOld, theirs, refused, busy } = editing
  const withoutSms = daysWithoutSms(clinic)
  const foot = useRef<HTMLDivElement>(null)
  const refusal = useRef<HTMLDivElement>(null)
  // It appears above the days or in one of them, far from the pressed button.
  useEffect(() => {
    const cell = refusal.current?.parentElement?.querySelector<HTMLElement>('[aria-invalid]')
    ;(cell ?? refusal.current)?.focus()
  }, [refused])
  // The pressed button disappears, so the focus moves to Save.
  const toSave = () => foot.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  const toSaved = () => {
    editing.showSaved()
    toSave()
  }
  const copyMonday = () => {
    const monday = contactOf(week.days[0]!)
    change({ days: week.days.map((row, at) => (at > 0 && at < 5 ? { ...row, ...monday } : row)) })
  }
  return (
    <form
      className="stack gap-4"
      aria-label={`${clinic.clinic}: week`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        editing.save()
      }}
    >
      {isOld && !refused && (
        <Note tone="wait" title={`${clinic.saved_by ?? 'Somebody'} saved this clinic after you opened it.`}>
          {theirs && <p>{theirs}</p>}
          <button type="button" className="min-h-9 font-semi underline" onClick={toSaved}>
            Show what was saved
          </button>
        </Note>
      )}
      {refused && (
        <div ref={refusal} role="alert" tabIndex={-1} className="rounded-card">
          <Note tone={refused.isOlder ? 'wait' : 'bad'} title={refused.messages[0]}>
            {refused.messages.slice(1).map((message) => (
              <p key={message}>{message}</p>
            ))}
            {refused.isOlder && theirs && <p>{theirs}</p>}
            {refused.isOlder && (
              <div className="mt-2 flex flex-wrap gap-3">
                <Button size={36} onClick={toSaved}>
                  Show what was saved
                </Button>
                <Button
                  size={36}
                  onClick={() => {
                    toSave()
                    editing.saveOverTheirs()
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
        rows={week.days}
        today={clinic.today.day}
        wrong={refused?.wrong}
        sentAs={({ key }) => `contact_${key}`}
        onChange={(rows) => change({ days: rows })}
      />
      <p className="text-14 text-ink-soft">
        At night a contact gets the case by SMS and by email. If they have no email of their own, it goes to
        the clinic’s.
      </p>
      <p role="status" className="text-14 font-medium text-amber-soft-ink empty:hidden">
        {withoutSms.length > 0 && `We can’t send an SMS to incomplete numbers: ${withoutSms.join(', ')}.`}
      </p>
      <p
        aria-hidden="true"
        className="flex flex-wrap items-center gap-2 text-14 text-ink-soft @max-[53rem]:hidden pointer-coarse:hidden"
      >
        <Key>Tab</Key> next cell <Key>↓</Key> same cell, next day <Key>Ctrl D</Key> same as the day above
      </p>
      <Holidays
        holidays={week.holidays}
        wrong={refused?.wrong}
        onChange={(holidays) => change({ holidays })}
      />
      <Settings week={week} change={change} />
      <div
        ref={foot}
        data-foot
        className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-line bg-paper py-3"
      >
        <Button type="submit" variant="primary" busy={busy}>
          Save clinic
        </Button>
        {isChanged && <Button onClick={toSaved}>Undo changes</Button>}
        <p role="status" className="ml-auto text-14 text-ink-soft">
          {isChanged
            ? `${cells === 0 ? 'Changed' : cells === 1 ? '1 cell changed' : `${cells} cells changed`}, draft kept on this computer`
            : editing.isSaved
              ? 'Saved'
              : ''}
        </p>
      </div>
    </form>
  )
}

function troubleWith(date: string, holidays: WeekRow[]) {
  if (!isDay(date)) return 'Enter a day, such as 25/12/2026.'
  if (holidays.some(({ key }) => key === date)) return 'That date is already in the list.'
  return date < isoDay(serverNow()) ? 'That date has passed.' : ''
}

function Holidays({
  holidays,
  wrong,
  onChange,
}: {
  holidays: WeekRow[]
  wrong: Wrong | undefined
  onChange: (holidays: WeekRow[]) => void
}) {
  const [date, setDate] = useState('')
  const [dateTrouble, setDateTrouble] = useState('')
  const dateBox = useRef<HTMLInputElement>(null)
  const addHoliday = () => {
    const trouble = troubleWith(date, holidays)
    setDateTrouble(trouble)
    if (trouble) return dateBox.current?.focus()
    const rows = [...holidays, holidayRow(newHoliday(date))]
    onChange(rows.toSorted((a, b) => a.key.localeCompare(b.key)))
    setDate('')
    // While it has the focus, the field shows what was typed.
    dateBox.current?.blur()
    dateBox.current?.focus()
  }

  return (
    <>
      <h3 className="pt-2 t18">Holidays</h3>
      {holidays.length === 0 ? (
        <p className="text-14 text-ink-soft">
          On a holiday the clinic is closed, or somebody else is its contact.
        </p>
      ) : (
        <WeekGrid
          caption="Holidays"
          rows={holidays}
          wrong={wrong}
          sentAs={(_, at) => `holidays.${at}`}
          onChange={onChange}
          onRemove={(row) => {
            onChange(holidays.filter(({ key }) => key !== row.key))
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
            error={dateTrouble}
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
    </>
  )
}

const hour = (at: number) => `${String(at).padStart(2, '0')}:00`

const Settings = ({ week, change }: { week: Week; change: (values: Partial<Week>) => void }) => (
  <>
    <div className="grid gap-4 pt-2 min-[47.5rem]:grid-cols-3">
      <Select
        label="A day’s contact begins at"
        help={
          week.day_begins === 0
            ? 'At midnight the next day’s contact takes over.'
            : `Until ${hour(week.day_begins)} the night belongs to the day on which it began.`
        }
        value={week.day_begins}
        onChange={({ target }) => change({ day_begins: Number(target.value) })}
        options={Array.from({ length: 13 }, (_, at) => ({ value: at, label: hour(at) }))}
      />
      <Select
        label="A contact has this long to answer"
        help="Then the next one is called."
        value={week.escalation_minutes}
        onChange={({ target }) => change({ escalation_minutes: Number(target.value) })}
        options={[...new Set([2, 3, 5, 10, 15, 20, 30, week.escalation_minutes])]
          .toSorted((a, b) => a - b)
          .map((value) => ({ value, label: value === 1 ? '1 minute' : `${value} minutes` }))}
      />
      <Select
        label="Emails about consults"
        help="Either way, the portal shows them straight away."
        value={week.notify}
        onChange={({ target }) => change({ notify: target.value as Clinic['notify'] })}
        options={[
          { value: 'straight away', label: 'Straight away' },
          { value: 'in the morning', label: 'In the morning, after a night' },
        ]}
      />
    </div>
    <Checkbox
      checked={week.meta.customerInvoice}
      onChange={({ target }) => change({ meta: { customerInvoice: target.checked } })}
      label={
        <>
          <span className="font-semi">Invoice this clinic</span>{' '}
          <span className="text-ink-soft">once a month for its phone consults</span>
        </>
      }
    />
  </>
)
