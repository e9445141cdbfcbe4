import { useState, type Ref } from 'react'
import { Field, type FieldText } from './field.tsx'
import { say } from './say.ts'

type DateFieldProps = FieldText & {
  /** 2020-02-14, or what was typed if it isn't a date yet, or empty. */
  value: string
  onValueChange: (value: string) => void
  name?: string
  autoComplete?: string
  ref?: Ref<HTMLInputElement>
}

/** Browsers fill in a date with the year first, and other pages show it so. */
function shown(value: string) {
  const parts = /^(\d{4})-(\d{2})-(\d{2})\s*$/.exec(value)
  return parts ? `${parts[3]}/${parts[2]}/${parts[1]}` : value
}

function read(words: string) {
  const [day = '', month = '', year = ''] = words.match(/\d+/g) ?? []
  if (!/^\d{1,2}$/.test(day) || !/^\d{1,2}$/.test(month) || !/^\d{4}$/.test(year)) return words
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : words
}

/** Adds slashes after the day and the month. Typed slashes are fine too. */
const slashed = (words: string) =>
  words.replace(/^(\d{2})(\d)/, '$1/$2').replace(/^(\d{1,2}\D\d{2})(\d)/, '$1/$2')

/**
 * Day, month and year as digits in one field. In a calendar, a birthday years ago takes many taps, and a phone's number
 * keys have no slash.
 */
export function DateField({
  label,
  help = say('Day, month, year'),
  error,
  optional,
  id,
  value,
  onValueChange,
  ...rest
}: DateFieldProps) {
  const [typing, setTyping] = useState<string | null>(null)
  const type = (words: string, deleting: boolean) => {
    const next = deleting ? words : slashed(shown(words))
    setTyping(next)
    onValueChange(read(next))
  }
  return (
    <Field {...{ label, help, error, optional, id }}>
      {(wiring) => (
        <input
          autoComplete="off"
          {...rest}
          {...wiring}
          type="text"
          inputMode="numeric"
          maxLength={20}
          value={typing ?? shown(value)}
          onChange={(event) => {
            const kind = (event.nativeEvent as InputEvent).inputType ?? ''
            const inside = event.target.selectionStart !== event.target.value.length
            type(event.target.value, inside || kind.startsWith('delete'))
          }}
          onBlur={() => setTyping(null)}
          className="control tabular-nums"
        />
      )}
    </Field>
  )
}
