import { useState, type ComponentProps, type ReactNode } from 'react'
import { Field, type FieldText } from './field.tsx'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { say } from './say.ts'

export type PasswordRule = { label: string; met: (password: string) => boolean }

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'type' | 'id' | 'autoComplete'> &
  Omit<FieldText, 'label'> & {
    label: string
    /** The password that somebody has, unless they choose it now. */
    autoComplete?: 'new-password'
    /** Shown below the field and ticked off during typing. */
    rules?: readonly PasswordRule[]
    aside?: ReactNode
  }

export function PasswordField({
  label,
  help,
  error,
  optional,
  id,
  aside,
  rules,
  onChange,
  ...rest
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const [typed, setTyped] = useState('')
  return (
    <div className="stack gap-2">
      <Field {...{ label, help, error, optional, id, aside }}>
        {(wiring) => (
          <div className="relative">
            <input
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
              {...rest}
              {...wiring}
              type={shown ? 'text' : 'password'}
              data-secret=""
              onChange={(event) => {
                setTyped(event.target.value)
                onChange?.(event)
              }}
              className={`control pr-[52px] ${shown ? '' : 'font-bold tracking-[0.14em]'}`}
            />
            <IconButton
              label={shown ? say('Hide: {field}', { field: label }) : say('Show: {field}', { field: label })}
              icon={shown ? 'eye-off' : 'eye'}
              className="absolute inset-y-0 right-[2px] my-auto"
              onClick={() => setShown(!shown)}
            />
          </div>
        )}
      </Field>
      {rules && (
        <ul aria-label={say('Your password needs')} className="flex flex-wrap gap-x-4 gap-y-2 text-14">
          {rules.map((rule) => {
            const met = rule.met(typed)
            return (
              <li
                key={rule.label}
                data-met={met || undefined}
                className="inline-flex items-center gap-[6px] text-ink-soft data-met:text-green"
              >
                {met ? (
                  <Icon name="check" size={16} />
                ) : (
                  <span className="m-1 size-2 rounded-full border-[1.5px] border-line-strong" />
                )}
                {say(rule.label)}
                <span className="sr-only">{met ? say(', yes') : say(', not yet')}</span>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
