import type { ChangeEvent, KeyboardEvent } from 'react'
import type { ClinicContact } from '#contract/clinics.ts'
import * as lengths from '#contract/lengths.ts'
import { Badge } from '../ui/badge.tsx'
import { FieldError } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { type Cell, phoneShown, type WeekRow, type Wrong } from './week-rules.ts'

const cell =
  'min-h-11 w-full min-w-0 bg-transparent px-3 text-14 outline-none focus:shadow-[inset_0_0_0_2px_var(--color-green)] aria-invalid:shadow-[inset_0_0_0_2px_var(--color-red)]'
/** Shows a long text whole. */
const wraps =
  'block resize-none py-3 leading-5 [field-sizing:content] not-supports-[field-sizing:content]:min-h-21'
const labelled =
  '@max-[40rem]:grid @max-[40rem]:grid-cols-[7rem_minmax(0,1fr)] @max-[17rem]:grid-cols-1 @max-[40rem]:items-center @max-[40rem]:before:px-3 @max-[40rem]:before:text-14 @max-[40rem]:before:text-ink-soft @max-[40rem]:before:content-[attr(data-label)]'

/**
 * Whom to call on which day. Tab goes to the next cell, Up and Down to the same cell of another day, and Ctrl D copies
 * from the day above. A day that isn't available has its name and number greyed but kept. Where the table has too
 * little room, each day becomes a card.
 */
export function WeekGrid({
  caption,
  rows,
  today,
  wrong,
  sentAs,
  onChange,
  onRemove,
}: {
  caption: string
  rows: WeekRow[]
  today?: string
  wrong: Wrong | undefined
  /** The name of a row in `wrong`. */
  sentAs: (row: WeekRow, at: number) => string
  onChange: (rows: WeekRow[]) => void
  onRemove?: (row: WeekRow) => void
}) {
  const change = (at: number, values: Partial<ClinicContact>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...values } : row)))

  function press(event: KeyboardEvent<HTMLTableElement>) {
    const target = event.target as HTMLElement
    const [column, at] = [target.dataset['column'], Number(target.dataset['row'])]
    if (!column) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) {
      event.preventDefault()
      const next = event.currentTarget.querySelector<HTMLInputElement | HTMLTextAreaElement>(
        `[data-column="${column}"][data-row="${at + step}"]`,
      )
      next?.focus()
      if (next?.type !== 'checkbox') next?.select()
    } else if (event.key === 'Enter' && target instanceof HTMLTextAreaElement) {
      event.preventDefault()
      target.form?.requestSubmit()
    } else if (event.key.toLowerCase() === 'd' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      const above = rows[at - 1]
      const name = column as Cell
      if (above) change(at, { [name]: above[name] })
    }
  }

  return (
    <div className="@container overflow-clip rounded-card border border-line-strong bg-card">
      <table role="table" className="w-full table-fixed border-collapse @max-[40rem]:block" onKeyDown={press}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="@max-[40rem]:sr-only">
          <tr role="row" className="bg-paper-sunk text-left text-14 text-ink-soft">
            {['Day', 'Vet', 'Number', 'Email', 'Not available', 'Note'].map((title, at) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                className={`border-line px-3 py-2 font-semi not-first:border-l ${['w-28 @min-[54rem]:w-40', '@min-[46rem]:w-40', 'w-30', '', 'w-22', ''][at]}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="divide-y divide-line border-t border-line @max-[40rem]:block">
          {rows.map((row, at) => {
            const { key, says, na } = row
            const text = (name: Exclude<Cell, 'na'>, label: string, maxLength: number, type = 'text') => {
              const isGrey = na && name !== 'note'
              const sent = `${sentAs(row, at)}.${name}`
              const error = wrong?.[sent]
              const box = {
                'data-row': at,
                'data-column': name,
                'aria-label': `${says}: ${label.toLowerCase()}`,
                'aria-invalid': error ? true : undefined,
                'aria-describedby': error && sent,
                autoComplete: 'off',
                maxLength,
                value: name === 'contact' ? phoneShown(row.contact) : (row[name] ?? ''),
                onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
                  change(at, { [name]: target.value.replace(/\s*\n\s*/g, ' ') }),
              }
              return (
                <td role="cell" data-label={label} className={`${labelled} ${isGrey ? 'bg-paper-sunk' : ''}`}>
                  {name === 'note' ? (
                    <textarea {...box} rows={1} className={`${cell} ${wraps}`} />
                  ) : (
                    <input
                      {...box}
                      type={type}
                      className={`${cell} ${type === 'tel' ? 'tabular-nums' : ''} ${isGrey ? 'text-ink-soft' : ''}`}
                    />
                  )}
                  {error && (
                    <div className="px-3 pb-2 @min-[17rem]:@max-[40rem]:col-start-2">
                      <FieldError id={sent}>{error}</FieldError>
                    </div>
                  )}
                </td>
              )
            }
            return (
              <tr
                key={key}
                role="row"
                className="divide-line @min-[40rem]:divide-x @max-[40rem]:block @max-[40rem]:py-2"
              >
                <th
                  role="rowheader"
                  scope="row"
                  className="px-3 py-1 text-left text-14 font-semi @max-[40rem]:block"
                >
                  <span className="flex flex-wrap items-center gap-x-2">
                    <span className={key === today ? 'text-green' : ''}>{says}</span>
                    {key === today && <Badge tone="green">Today</Badge>}
                    {onRemove && (
                      <IconButton icon="trash-2" label={`Remove ${says}`} onClick={() => onRemove(row)} />
                    )}
                  </span>
                </th>
                {text('vetName', 'Vet', lengths.fullName)}
                {text('contact', 'Number', lengths.mobile, 'tel')}
                {text('email', 'Email', lengths.email, 'email')}
                <td
                  role="cell"
                  data-label="Not available"
                  className={`text-center @max-[40rem]:text-left ${labelled}`}
                >
                  <label className="inline-grid min-h-11 min-w-11 place-items-center justify-self-start">
                    <input
                      type="checkbox"
                      data-row={at}
                      data-column="na"
                      aria-label={`${says}: not available`}
                      checked={na}
                      onChange={({ target }) => change(at, { na: target.checked })}
                      className="size-5 accent-green"
                    />
                  </label>
                </td>
                {text('note', 'Note', lengths.reason)}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
