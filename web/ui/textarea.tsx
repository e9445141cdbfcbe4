import { useEffect, useRef, type ComponentProps } from 'react'
import { Field, type FieldText } from './field.tsx'

type TextareaProps = Omit<ComponentProps<'textarea'>, 'id' | 'ref'> &
  FieldText & { ref?: (element: HTMLTextAreaElement | null) => void }

/** Grows with its text. Browsers without field-sizing get the height from a script. */
export function Textarea({
  label,
  help,
  error,
  optional,
  id,
  ref,
  onChange,
  rows = 3,
  ...rest
}: TextareaProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const grow = () => {
    if (!box.current || CSS.supports('field-sizing', 'content')) return
    box.current.style.height = 'auto'
    box.current.style.height = `${box.current.scrollHeight + 2}px`
  }
  useEffect(grow)
  return (
    <Field {...{ label, help, error, optional, id }}>
      {(wiring) => (
        <textarea
          {...rest}
          {...wiring}
          rows={rows}
          ref={(element) => {
            box.current = element
            ref?.(element)
          }}
          onChange={(event) => {
            grow()
            onChange?.(event)
          }}
          className={`control block max-h-[60vh] resize-y [field-sizing:content] ${rows < 3 ? 'min-h-20' : 'min-h-32'}`}
        />
      )}
    </Field>
  )
}
