import type { ComponentProps, ReactNode } from 'react'
import { Field, type FieldText } from './field.tsx'
import { Icon, type IconName } from './icon.tsx'

const keyboards = {
  text: {},
  search: { inputMode: 'search', autoComplete: 'off' },
  email: { inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none', spellCheck: false },
  tel: { inputMode: 'tel', autoComplete: 'tel' },
  digits: { inputMode: 'numeric', autoComplete: 'off' },
  time: {},
  code: { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false },
} as const

type TextFieldProps = Omit<ComponentProps<'input'>, 'type' | 'id'> &
  FieldText & {
    type?: keyof typeof keyboards
    icon?: IconName
    /** A button that uses the text: beside it, or below it on a narrow screen. */
    beside?: ReactNode
    aside?: ReactNode
  }

export const TextField = ({
  label,
  help,
  error,
  optional,
  id,
  aside,
  type = 'text',
  icon,
  beside,
  className = '',
  ...rest
}: TextFieldProps) => (
  <Field {...{ label, help, error, optional, id, aside }}>
    {(wiring) => (
      <div className="flex flex-wrap gap-2">
        <div className="relative min-w-0 flex-[1_1_8rem]">
          {icon && (
            <Icon
              name={icon}
              className="pointer-events-none absolute inset-y-0 left-[14px] my-auto text-ink-soft"
            />
          )}
          <input
            type={type === 'digits' || type === 'code' ? 'text' : type}
            {...keyboards[type]}
            {...rest}
            {...wiring}
            className={`control ${icon ? 'pl-11' : ''} ${type === 'digits' || type === 'time' ? 'tabular-nums' : ''} ${className}`}
          />
        </div>
        {beside}
      </div>
    )}
  </Field>
)
