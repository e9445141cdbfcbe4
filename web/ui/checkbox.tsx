import type { ComponentProps, ReactNode } from 'react'
import { FieldError } from './field.tsx'
import { Icon } from './icon.tsx'
import { useId } from './id.ts'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & { label: ReactNode; error?: string }

export function Checkbox({ label, error, id, ...rest }: CheckboxProps) {
  const made = useId()
  const own = id ?? made
  return (
    <div className="stack gap-1">
      <label className="grid grid-cols-[24px_minmax(0,1fr)] items-start gap-3 py-[10px] leading-6">
        <span className="grid *:col-start-1 *:row-start-1">
          <input
            {...rest}
            id={own}
            type="checkbox"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${own}-error` : undefined}
            className="peer size-6 appearance-none rounded-[6px] border-[1.5px] border-line-strong bg-card checked:border-green checked:bg-green focus-visible:rounded-[6px] aria-invalid:border-2 aria-invalid:border-red"
          />
          <Icon
            name="check"
            size={16}
            strokeWidth={3.5}
            className="pointer-events-none invisible self-center justify-self-center text-on-green peer-checked:visible"
          />
        </span>
        <span>{label}</span>
      </label>
      {error && <FieldError id={`${own}-error`}>{error}</FieldError>}
    </div>
  )
}
