import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { useId } from './id.ts'
import { say, sayLines } from './say.ts'

export type FieldText = {
  label: ReactNode
  help?: ReactNode
  error?: string
  optional?: boolean
  id?: string
}

type Wiring = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

function useWiring({ id: given, help, error }: Pick<FieldText, 'id' | 'help' | 'error'>) {
  const made = useId()
  const id = given ?? made
  const spoken = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return {
    id,
    'aria-describedby': spoken || undefined,
    'aria-invalid': error ? (true as const) : undefined,
  }
}

export const Optional = () => <span className="font-regular text-ink-soft"> {say('(optional)')}</span>

/** A field's error. The field refers to it by this id. */
export const FieldError = ({ id, children }: { id?: string; children: string }) => (
  <p id={id} className="flex scroll-mb-4 items-start gap-2 text-14 leading-5 font-medium text-red">
    <Icon name="circle-alert" size={16} className="mt-[2px]" />
    <span className="whitespace-pre-line">{sayLines(children)}</span>
  </p>
)

const Words = ({ id, help, error }: { id: string; help?: ReactNode; error?: string }) => (
  <>
    {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    {help && (
      <div id={`${id}-help`} className="text-14 text-ink-soft">
        {help}
      </div>
    )}
  </>
)

type FieldProps = FieldText & {
  /** At the end of the label's line: a link, a count. */
  aside?: ReactNode
  /** The control for the label hasn't appeared yet. */
  waits?: boolean
  children: (wiring: Wiring) => ReactNode
}

/** Label above, help and error below. The control gets the ids that connect them. */
export function Field({ label, help, error, optional, id, aside, waits = false, children }: FieldProps) {
  const wiring = useWiring({ id, help, error })
  const name = (
    <label htmlFor={waits ? undefined : wiring.id} className="leading-snug font-semi">
      {label}
      {optional && <Optional />}
    </label>
  )
  return (
    <div className="stack content-start gap-2">
      {aside ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          {name}
          {aside}
        </div>
      ) : (
        name
      )}
      {children(wiring)}
      <Words id={wiring.id} help={help} error={error} />
    </div>
  )
}

type FieldSetProps = Omit<FieldText, 'label'> & { legend: ReactNode; children: ReactNode }

/** The same around a group of radios. */
export function FieldSet({ legend, help, error, optional, id, children }: FieldSetProps) {
  const wiring = useWiring({ id, help, error })
  return (
    <fieldset role="radiogroup" {...wiring} aria-labelledby={`${wiring.id}-legend`}>
      <legend id={`${wiring.id}-legend`} className="mb-2 leading-snug font-semi">
        {legend}
        {optional && <Optional />}
      </legend>
      <div className="stack gap-2">
        {children}
        <Words id={wiring.id} help={help} error={error} />
      </div>
    </fieldset>
  )
}
