import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Roster, Shift } from '#contract/roster.ts'
import { sentenceOf } from '#contract/errors.ts'
import { failed } from '../lib/api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failed } from '../ui/empty.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import type { Rules } from '../ui/form-state.ts'
import { FieldPair, Form, useForm } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import { asSeen, freeVets, useAddShift, useChangeShift, useRemoveShift } from './queries.ts'
import { calendarDay, hoursWords, longDay, restWords, span } from './roster-words.ts'

/** The place of a new shift, or the shift to change. */
export interface Draft {
  shift?: Shift
  vet_id?: number
  day: string
  from: string
  to: string
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

const timeRules: Rules<{ from: string; to: string }> = ({ from, to }) => ({
  from: !TIME.test(from) && 'Enter a time.',
  to: !TIME.test(to) && 'Enter a time.',
})

export function ShiftDialog({
  draft,
  roster: { days, bands, shifts, vets },
  onClose,
  onSaved,
  onAdded,
  onRemoved,
}: {
  draft: Draft
  roster: Roster
  onClose: () => void
  onSaved: () => void
  onAdded: (shift: Shift) => void
  onRemoved: (shift: Shift) => void
}) {
  const { shift } = draft
  const add = useAddShift()
  const change = useChangeShift()
  const remove = useRemoveShift()
  const [day, setDay] = useState(draft.day)
  const [vet, setVet] = useState(draft.vet_id)
  const form = useForm({ rules: timeRules, defaults: { from: draft.from, to: draft.to } })
  const { from, to } = form.hook.watch()
  const isTime = TIME.test(from) && TIME.test(to)
  const date = calendarDay({ day, from }, bands)
  const free = useQuery({ ...freeVets(date, from, to), enabled: isTime })
  const own = vets.find(({ id }) => id === shift?.vet_id)
  const choices = [
    ...(own && !free.data?.some(({ id }) => id === own.id)
      ? [{ ...own, short_rest: shift!.short_rest }]
      : []),
    ...(free.data ?? []),
  ]
  const isChosen = choices.some(({ id }) => id === vet)
  const now = shifts.find(({ id }) => id === shift?.id)
  const busy = form.busy || remove.isPending || remove.isSuccess
  const old = !busy && shift && oldBecause(shift, now)

  return (
    <Dialog
      onClose={onClose}
      title={shift ? `${shift.name}, ${longDay(shift.day)}` : 'Add a shift'}
      foot={
        <>
          <Button
            type="submit"
            form={form.id}
            variant="primary"
            busy={form.busy}
            off={old || (isTime && !isChosen && 'Choose a vet.')}
          >
            {shift ? 'Save shift' : 'Add shift'}
          </Button>
          <Button variant="text" onClick={onClose}>
            {shift ? 'Leave as it is' : 'Cancel'}
          </Button>
          {shift && (
            <Button
              variant="danger-line"
              className="sm:mr-auto"
              busy={remove.isPending}
              busyLabel="Removing…"
              aria-disabled={old ? true : undefined}
              onClick={() =>
                !old &&
                void remove.mutateAsync(asSeen(shift)).then(
                  () => onRemoved(shift),
                  () => {},
                )
              }
            >
              Remove shift
            </Button>
          )}
        </>
      }
    >
      <Form
        form={form}
        onSubmit={async (times) => {
          const planned = { vet_id: vet!, day: date, ...times }
          if (!shift) return onAdded(await add(planned))
          await change({ id: shift.id, ...planned, was: shift })
          onSaved()
        }}
      >
        <Select
          label="Day"
          options={[...new Set([day, ...days.map((one) => one.day)])]
            .toSorted()
            .map((value) => ({ value, label: longDay(value) }))}
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <div className="flex flex-wrap gap-2" role="group" aria-label="Band">
          {bands.map((band) => (
            <Button
              key={band.name}
              size={44}
              variant={band.from === from && band.to === to ? 'soft' : 'line'}
              aria-pressed={band.from === from && band.to === to}
              onClick={() => form.hook.setValues({ from: band.from, to: band.to })}
            >
              {band.name}
            </Button>
          ))}
        </div>
        <FieldPair>
          <TextField label="From" type="time" {...form.field('from')} />
          <TextField
            label="To"
            type="time"
            help={isTime && to <= from ? 'On the next day.' : undefined}
            {...form.field('to')}
          />
        </FieldPair>
        <fieldset className="stack gap-2">
          <legend className="mb-2 font-semi">Vet</legend>
          {!isTime && <p className="text-ink-soft">Enter both times to see who is free.</p>}
          {free.isPending && isTime && <SkeletonRows label="Looking for free vets" rows={3} />}
          {free.isError && <Failed what="the vets" onRetry={() => void free.refetch()} />}
          {free.data && choices.length === 0 && <p className="text-ink-soft">No vet is free then.</p>}
          {(free.data || own) &&
            choices.map(({ id, name, hours, short_rest }) => (
              <label
                key={id}
                className="grid min-h-11 grid-cols-[24px_minmax(0,1fr)_auto] items-center gap-3 rounded-small border border-line px-3 py-1 has-checked:border-green has-checked:bg-green-soft"
              >
                <input
                  type="radio"
                  name="vet"
                  checked={vet === id}
                  onChange={() => setVet(id)}
                  className="size-6 appearance-none rounded-full border-[1.5px] border-line-strong bg-card checked:border-[7px] checked:border-green focus-visible:rounded-full"
                />
                <span>
                  {name}
                  {short_rest !== null && (
                    <span className="block text-14 leading-5 font-medium text-amber-soft-ink">
                      {restWords(short_rest)}
                    </span>
                  )}
                </span>
                <span className="text-14 text-ink-soft tabular-nums">{hoursWords(hours)} this week</span>
              </label>
            ))}
        </fieldset>
        {shift?.offered && (
          <p className="text-14 text-ink-soft">{shift.name} offers this shift to colleagues.</p>
        )}
      </Form>
      <p className="text-14 text-ink-soft">
        {shift ? `It was ${span(shift)}. ` : ''}We email the vet if the shift starts within 24 hours.
      </p>
      <ErrorLine>{!old && remove.error && failed(remove.error)}</ErrorLine>
    </Dialog>
  )
}

/** Why a shift can't be saved any more, if another admin changed it after the dialog opened. */
function oldBecause(shift: Shift, now: Shift | undefined): string | undefined {
  if (!now)
    return 'Somebody has removed this shift or moved it to another week. Close this to see the roster.'
  const isSame = (['vet_id', 'begin', 'end'] as const).every((of) => now[of] === shift[of])
  return isSame ? undefined : sentenceOf('SHIFT_CHANGED')
}
