import { useId, type Ref } from 'react'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { Skeleton } from './skeleton.tsx'

type CardFieldProps = {
  label: string
  state: 'loading' | 'ready' | 'failed'
  /** Where the payment provider's frame is put. It stays mounted in every state. */
  ref?: Ref<HTMLDivElement>
  focused?: boolean
  help?: string
  error?: string
  onRetry?: () => void
}

/** A field of fixed height around a frame that is not ours: nothing moves when it arrives. */
export function CardField({ label, state, ref, focused, help, error, onRetry }: CardFieldProps) {
  const id = useId()
  return (
    <Field
      label={label}
      id={id}
      help={help}
      error={state === 'failed' ? 'The card field did not load. Nothing was charged.' : error}
    >
      {(wiring) => (
        <div
          role="group"
          aria-label={label}
          {...wiring}
          aria-invalid={undefined}
          aria-busy={state === 'loading' || undefined}
          data-focused={focused || undefined}
          data-invalid={error || state === 'failed' ? true : undefined}
          className="control relative h-12 overflow-clip data-invalid:border-red data-invalid:shadow-[0_0_0_1px_var(--red)]"
        >
          <div ref={ref} className={state === 'ready' ? 'h-6' : 'invisible h-6'} />
          {state === 'loading' && (
            <Skeleton className="absolute top-[15px] left-[14px] h-4 w-44 max-w-[60%]" />
          )}
          {state === 'failed' && (
            <button
              type="button"
              onClick={onRetry}
              className="absolute inset-0 flex items-center gap-3 px-[14px] font-semi text-green underline underline-offset-4"
            >
              <Icon name="rotate-cw" />
              Try again
            </button>
          )}
        </div>
      )}
    </Field>
  )
}
