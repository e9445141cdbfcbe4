import { sentenceOf } from '#contract/errors.ts'
import { isDay } from '#contract/fields.ts'
import * as lengths from '#contract/lengths.ts'
import { DAY } from '#contract/time.ts'
import { dayAndTime } from '../lib/dates.ts'
import { now } from '../lib/session.ts'
import { DateField } from '../ui/date-field.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Segments } from '../ui/radio.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useExtendFollowUp } from './queries.ts'

/** Gives an owner more time to write after the end: another 24 hours, or until the end of a day. */
export function ExtendDialog({
  id,
  until,
  owner,
  onClose,
}: {
  id: number
  until: string
  owner: string
  onClose: () => void
}) {
  const extend = useExtendFollowUp()
  const later = new Date(Math.max(now(), Date.parse(until)) + DAY).toISOString()
  const form = useForm({
    rules: ({ how, day, reason }) => ({
      day: how === 'day' && !isDay(day) && 'Enter the last day, such as 24/11/2026.',
      reason: reason.trim() === '' && sentenceOf('REASON_MISSING'),
    }),
    defaults: { how: 'more', day: '', reason: '' },
  })
  const { how } = form.hook.watch()
  return (
    <FormDialog
      small
      title={`More time for consult ${id}`}
      form={form}
      does="Extend"
      doing="Extending…"
      onClose={onClose}
      onSubmit={async (typed) => {
        const to = typed.how === 'day' ? new Date(`${typed.day}T23:59:59`).toISOString() : later
        await extend({ id, until: to, reason: typed.reason.trim() })
        return `${owner} can write until ${dayAndTime(to)}.`
      }}
    >
      <p>This gives {owner} more time to write in this consult and to reopen it.</p>
      <Segments
        legend="Until when"
        options={[
          { value: 'more', label: '24 more hours' },
          { value: 'day', label: 'A date' },
        ]}
        {...form.field('how')}
      />
      {how === 'day' ? (
        <DateField
          label="Last day"
          help="Day, month, year. Until the end of that day."
          {...form.control('day')}
        />
      ) : (
        <p className="text-ink-soft">Until {dayAndTime(later)}.</p>
      )}
      <TextField
        label="Reason"
        maxLength={lengths.reason}
        help={`${owner} can read this.`}
        {...form.field('reason')}
      />
    </FormDialog>
  )
}
