import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Clinic, ClinicHoliday } from '#contract/clinics.ts'
import { day } from '../lib/dates.ts'
import { clearDraft, leaveDraft, readDraft } from '../ui/form-draft.ts'
import type { Refusal } from '../ui/form.tsx'
import { everyClinic, useSaveClinic } from './queries.ts'
import { cellsChanged, contactOf, sameContact, type WeekRow, type Wrong, weekOf } from './week-rules.ts'

export const holidayRow = (one: ClinicHoliday): WeekRow => ({
  ...one,
  key: one.date,
  says: day(one.date),
})

const SETTINGS = ['day_begins', 'escalation_minutes', 'notify', 'meta'] as const

/** What an admin sets for a clinic's nights. */
export type Week = ReturnType<typeof stateOf>
const stateOf = (clinic: Clinic) => ({
  days: weekOf(clinic),
  holidays: clinic.holidays.map(holidayRow),
  day_begins: clinic.day_begins,
  escalation_minutes: clinic.escalation_minutes,
  notify: clinic.notify,
  meta: clinic.meta,
})

/** Editing a clinic's week. A draft stays in this tab. */
export function useWeek(clinic: Clinic) {
  const place = `clinic-nights:${clinic.id}`
  // The version that the editing began with. Saving then notices a newer one that somebody else saved.
  const [draft] = useState(() => kept(place))
  const [from, setFrom] = useState(draft?.from ?? clinic)
  const [week, setWeek] = useState(draft?.week ?? stateOf(clinic))
  const [refused, setRefused] = useState<{ messages: string[]; isOlder: boolean; wrong: Wrong }>()
  const list = useQuery(everyClinic)
  const [busy, setBusy] = useState(false)
  const save = useSaveClinic()
  const before = stateOf(from)
  const isChanged = JSON.stringify(before) !== JSON.stringify(week)

  useEffect(() => {
    if (isChanged) leaveDraft(place, { from, week })
    else clearDraft(place)
  }, [place, from, week, isChanged])

  const begin = (fresh: Clinic) => {
    setFrom(fresh)
    setWeek(stateOf(fresh))
    setRefused(undefined)
  }

  async function send(version: number) {
    setBusy(true)
    setRefused(undefined)
    try {
      begin(await save({ id: clinic.id, version, ...changesOf(before, week) }))
    } catch (error) {
      const { errors, code, fields = {} } = error as Refusal
      const isOlder = code === 'CLINIC_CHANGED'
      if (isOlder) await list.refetch()
      setRefused({ messages: errors ?? ['We couldn’t save the clinic. Try again.'], isOlder, wrong: fields })
    } finally {
      setBusy(false)
    }
  }

  return {
    week,
    change: (values: Partial<Week>) => setWeek((now) => ({ ...now, ...values })),
    isChanged,
    cells: cellsChanged(before.days, week.days),
    isSaved: from !== clinic && from.version === clinic.version,
    /** Somebody else saved the clinic meanwhile. */
    isOld: clinic.version > from.version,
    theirs: changesSaid(before, stateOf(clinic)),
    refused,
    busy,
    save: () => (busy ? undefined : void send(from.version)),
    saveOverTheirs: () => void send(clinic.version),
    showSaved: () => begin(clinic),
  }
}

/** Only what was changed here is sent, so that somebody else's changes stay. */
function changesOf(before: Week, now: Week) {
  const contacts = daysChanged(before, now).map((row) => [`contact_${row.key}`, contactOf(row)])
  const settings = SETTINGS.filter((name) => differ(before, now, name)).map((name) => [name, now[name]])
  return {
    ...Object.fromEntries([...contacts, ...settings]),
    ...(differ(before, now, 'holidays') && {
      holidays: now.holidays.map((row) => ({ date: row.key, ...contactOf(row) })),
    }),
  }
}

const differ = (before: Week, now: Week, ...parts: (keyof Week)[]) =>
  parts.some((part) => JSON.stringify(before[part]) !== JSON.stringify(now[part]))

const daysChanged = (before: Week, now: Week) =>
  now.days.filter((row, at) => !sameContact(row, before.days[at]!))

function changesSaid(before: Week, now: Week): string {
  const changed = [
    ...daysChanged(before, now).map(({ says }) => says),
    ...(differ(before, now, 'holidays') ? ['the holidays'] : []),
    ...(differ(before, now, ...SETTINGS) ? ['the settings below'] : []),
  ]
  const named = new Intl.ListFormat('en').format(changed)
  return named && `${named.charAt(0).toUpperCase()}${named.slice(1)} changed.`
}

/** The draft in this tab, with the clinic as it was when typing began. */
function kept(place: string): { from: Clinic; week: Week } | undefined {
  const { from, week } = readDraft(place)
  return from && week ? { from: from as Clinic, week: week as Week } : undefined
}
