import type { ComponentProps } from 'react'
import { Field, type FieldText } from './field.tsx'
import { Icon } from './icon.tsx'

type SelectProps = Omit<ComponentProps<'select'>, 'id'> &
  FieldText & { options?: readonly { value: string | number; label: string }[] }

/** The native select, which works best on a phone. Children are the first options, such as "All". */
export const Select = ({ label, help, error, optional, id, children, options, ...rest }: SelectProps) => (
  <Field {...{ label, help, error, optional, id }}>
    {(wiring) => (
      <div className="relative">
        <select {...rest} {...wiring} className="control pr-11">
          {children}
          {options?.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
        <Icon
          name="chevron-down"
          className="pointer-events-none absolute inset-y-0 right-[14px] my-auto text-ink-soft"
        />
      </div>
    )}
  </Field>
)
