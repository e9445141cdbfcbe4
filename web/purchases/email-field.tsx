import * as lengths from '#contract/lengths.ts'
import type { FormHandle } from '../ui/form.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { suggestedEmail } from './suggested-email.ts'

/** The email that everything about a purchase goes to. A typing mistake is pointed out before the payment. */
export function EmailField({ form, help }: { form: FormHandle<{ email: string }>; help: string }) {
  const meant = suggestedEmail(form.hook.watch('email'))
  return (
    <div className="stack gap-1">
      <TextField
        label={say('Email')}
        type="email"
        maxLength={lengths.email}
        help={help}
        {...form.field('email')}
      />
      <div role="status">
        {meant && (
          <button
            type="button"
            className="-mb-2 min-h-11 text-left font-semi [overflow-wrap:anywhere] text-green underline underline-offset-4"
            onClick={() => {
              form.hook.setValue('email', meant)
              form.hook.change('email', meant)
              // This button disappears.
              form.hook.setFocus('email')
            }}
          >
            {say('Did you mean {email}?', { email: meant })}
          </button>
        )}
      </div>
    </div>
  )
}
