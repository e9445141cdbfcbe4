import type { KeyboardEvent } from 'react'
import { FieldSet } from '../ui/field.tsx'
import { Key } from '../ui/key.tsx'
import type { Field } from '../ui/form.tsx'

interface Option {
  value: string
  label: string
  /** An emergency. */
  hot?: boolean
}

const label =
  'relative flex min-h-11 items-center justify-between gap-2 rounded-small border border-line-strong bg-card px-3 py-2 text-14 leading-snug font-medium hover:border-green has-checked:border-green has-checked:bg-green-soft has-checked:font-semi has-checked:text-green-soft-ink has-checked:shadow-[inset_0_0_0_1px_var(--color-green)] has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus data-hot:has-checked:border-coral data-hot:has-checked:bg-coral-soft data-hot:has-checked:text-coral-soft-ink data-hot:has-checked:shadow-[inset_0_0_0_1px_var(--color-coral)]'

/** A few answers side by side. While one has the focus, the number keys choose among them. */
export function KeyChoices({
  legend,
  options,
  across,
  field,
  value,
  onChoose,
}: {
  legend: string
  options: readonly Option[]
  across: string
  field: Field
  value: string
  onChoose: (value: string) => void
}) {
  const { id, error, name, onChange, onBlur, ref } = field
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const option = options[Number(event.key) - 1]
    if (!option || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onChoose(option.value)
    event.currentTarget.querySelector<HTMLInputElement>(`input[value="${option.value}"]`)?.focus()
  }
  return (
    <FieldSet legend={legend} id={id} error={error}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the radios inside take the keys */}
      <div className={`grid gap-2 ${across}`} onKeyDown={press}>
        {options.map((option, at) => (
          <label key={option.value} data-hot={option.hot || undefined} className={label}>
            <input
              {...{ name, onChange, onBlur, ref }}
              type="radio"
              value={option.value}
              checked={value === option.value}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            {option.label}
            <span aria-hidden="true" className="max-sm:hidden pointer-coarse:hidden">
              <Key>{at + 1}</Key>
            </span>
          </label>
        ))}
      </div>
    </FieldSet>
  )
}
