import type { ComponentProps, ReactNode, Ref } from 'react'
import { Field, type FieldText } from './field.tsx'
import { Icon } from './icon.tsx'
import { useId } from './id.ts'
import { say } from './say.ts'
import { Skeleton } from './skeleton.tsx'

type CardInputProps = Omit<ComponentProps<'input'>, 'type' | 'id' | 'name' | 'autoComplete'> &
  Omit<FieldText, 'optional'> & {
    autoComplete: 'cc-number' | 'cc-exp' | 'cc-csc'
    /** The brand's logo, at the end. */
    mark?: ReactNode
  }

/** A field for part of a card. It has no name, so that no form sends it and no draft stores it. */
export const CardInput = ({ label, help, error, id, mark, ...rest }: CardInputProps) => (
  <Field {...{ label, help, error, id }}>
    {(wiring) => (
      <div className="relative">
        <input
          inputMode="numeric"
          spellCheck={false}
          autoCorrect="off"
          {...rest}
          {...wiring}
          type="text"
          data-secret=""
          className={`control tabular-nums ${mark ? 'pr-[62px]' : ''}`}
        />
        {mark && (
          <span className="pointer-events-none absolute inset-y-0 right-3 grid items-center">{mark}</span>
        )}
      </div>
    )}
  </Field>
)

type CardFrameProps = {
  label: string
  state: 'loading' | 'ready' | 'failed'
  /** Where the payment provider puts its frame. It stays mounted in every state. */
  ref?: Ref<HTMLDivElement>
  focused?: boolean
  help?: ReactNode
  error?: string
  onRetry?: () => void
}

/** A field of fixed height around the provider's frame, so that nothing moves when the frame loads. */
export function CardFrame({ label, state, ref, focused, help, error, onRetry }: CardFrameProps) {
  const id = useId()
  return (
    <Field
      label={label}
      id={id}
      help={help}
      waits={state !== 'ready'}
      error={state === 'failed' ? say('We couldn’t load the card field. Nothing was charged.') : error}
    >
      {({ id, ...wiring }) => (
        <div
          role="group"
          aria-label={label}
          {...wiring}
          aria-invalid={undefined}
          aria-busy={state === 'loading' || undefined}
          data-focused={focused || undefined}
          data-invalid={error || state === 'failed' ? true : undefined}
          className="control relative h-[calc(1.5rem+24px)] overflow-clip data-invalid:border-red data-invalid:shadow-[0_0_0_1px_var(--color-red)]"
        >
          {/* The provider's script uses this id to forward a click on the label to its frame. */}
          <div ref={ref} id={id} className={state === 'ready' ? 'h-[1.5rem]' : 'invisible h-[1.5rem]'} />
          {state === 'loading' && (
            <Skeleton className="absolute inset-y-0 left-[14px] my-auto h-4 w-44 max-w-[60%]" />
          )}
          {state === 'failed' && (
            <button
              type="button"
              onClick={onRetry}
              className="absolute inset-0 flex items-center gap-3 px-[14px] font-semi text-green underline underline-offset-4"
            >
              <Icon name="rotate-cw" />
              {say('Try again')}
            </button>
          )}
        </div>
      )}
    </Field>
  )
}
