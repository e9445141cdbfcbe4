import { isDay } from '#contract/fields.ts'
import { DateField } from '../ui/date-field.tsx'
import { type FormHandle } from '../ui/form.tsx'

/** Two days that limit a list. Either may be empty. */
export interface DayRange {
  from: string
  to: string
}

const NOT_A_DAY = 'Enter a day, such as 21/11/2026.'

export function daysIn(asked: URLSearchParams): DayRange {
  const [from = '', to = ''] = ['from', 'to'].map((name) => asked.get(name) ?? '')
  return { from: isDay(from) ? from : '', to: isDay(to) ? to : '' }
}

/** What is wrong with each day, if anything. `turned` says that the last one is too early. */
export const wrongDays = ({ from, to }: DayRange, turned: string) => ({
  from: from !== '' && !isDay(from) && NOT_A_DAY,
  to: to !== '' && (isDay(to) ? isDay(from) && to < from && turned : NOT_A_DAY),
})

export const DayFields = ({ form }: { form: FormHandle<DayRange> }) => (
  <>
    <DateField label="From" {...form.control('from')} />
    <DateField label="To" {...form.control('to')} />
  </>
)
