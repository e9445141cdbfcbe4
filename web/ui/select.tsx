import type { ComponentProps } from 'react'
import { Field, type FieldText } from './field.tsx'
import { Icon } from './icon.tsx'

type SelectProps = Omit<ComponentProps<'select'>, 'id'> & FieldText

/** The native select, which works best on a phone. Its options are children. */
export const Select = ({ label, help, error, optional, id, children, ...rest }: SelectProps) => (
  <Field {...{ label, help, error, optional, id }}>
    {(wiring) => (
      <div className="relative">
        <select {...rest} {...wiring} className="control pr-11">
          {children}
        </select>
        <Icon
          name="chevron-down"
          className="pointer-events-none absolute inset-y-0 right-[14px] my-auto text-ink-soft"
        />
      </div>
    )}
  </Field>
)
