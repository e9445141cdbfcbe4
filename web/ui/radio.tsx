import type { ComponentProps } from 'react'
import { FieldSet, type FieldText } from './field.tsx'

type RadiosProps = Omit<ComponentProps<'input'>, 'type' | 'id' | 'value' | 'size'> &
  Omit<FieldText, 'label'> & { legend: string; options: readonly { value: string; label: string }[] }

const radiosOf = (look: { all: string; one: string; mark: string }) =>
  function Radios({ legend, help, error, optional, id, options, defaultValue, ...rest }: RadiosProps) {
    return (
      <FieldSet {...{ legend, help, error, optional, id }}>
        <div data-invalid={error ? true : undefined} className={look.all}>
          {options.map(({ value, label }) => (
            <label key={value} className={look.one}>
              <input
                {...rest}
                type="radio"
                value={value}
                defaultChecked={defaultValue === undefined ? undefined : defaultValue === value}
                className={look.mark}
              />
              {label}
            </label>
          ))}
        </div>
      </FieldSet>
    )
  }

/** Two or three short answers, side by side. */
export const Segments = radiosOf({
  all: 'grid auto-cols-[minmax(0,1fr)] grid-flow-col overflow-clip rounded-small border border-line-strong bg-card data-invalid:border-red data-invalid:shadow-[0_0_0_1px_var(--color-red)]',
  one: 'relative grid min-h-[46px] place-items-center px-3 py-1 text-center leading-[1.25] font-medium not-first:border-l not-first:border-line-strong first:rounded-l-[7px] last:rounded-r-[7px] has-checked:bg-green-soft has-checked:font-semi has-checked:text-green-soft-ink has-checked:shadow-[inset_0_0_0_1px_var(--color-green)] has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-focus',
  mark: 'absolute inset-0 size-full opacity-0',
})

/** Longer answers, one below the other. */
export const RadioList = radiosOf({
  all: '',
  one: 'grid grid-cols-[24px_minmax(0,1fr)] items-start gap-3 py-[10px] leading-6',
  mark: 'size-6 appearance-none rounded-full border-[1.5px] border-line-strong bg-card checked:border-[7px] checked:border-green focus-visible:rounded-full',
})

/** A short answer in a row of them, for staff's pages. */
export const PillRadio = ({ children, ...rest }: Omit<ComponentProps<'input'>, 'type' | 'className'>) => (
  <label className="relative inline-flex min-h-9 items-center rounded-full border border-line-strong bg-card px-3 font-medium has-checked:border-green has-checked:bg-green has-checked:text-on-green has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:min-h-11">
    <input {...rest} type="radio" className="sr-only" />
    {children}
  </label>
)
