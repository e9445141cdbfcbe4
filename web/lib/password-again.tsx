import { createRoot } from 'react-dom/client'
import { PASSWORD_AGAIN_MINUTES } from '#contract/accounts.ts'
import { confirmPassword } from '#contract/profile.ts'
import { type Refusal, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { say } from '../ui/say.ts'
import { noPassword } from './rules.ts'

type Send = (call: typeof confirmPassword, input: { password: string }) => Promise<unknown>

let asking: Promise<boolean> | undefined

/** Asks for the password once, however many calls wait for it. False if the person cancels. */
export const askPasswordAgain = (send: Send): Promise<boolean> =>
  (asking ??= ask(send).finally(() => (asking = undefined)))

/** Outside the page's own tree, so that any call on any page can ask. */
function ask(send: Send) {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  return new Promise<boolean>((resolve) => {
    const end = (given: boolean) => {
      root.unmount()
      place.remove()
      resolve(given)
    }
    root.render(<PasswordAgain send={send} onEnd={end} />)
  })
}

const asked = ({ password }: { password: string }) => ({ password: noPassword(password) })

function PasswordAgain({ send, onEnd }: { send: Send; onEnd: (given: boolean) => void }) {
  const form = useForm({ rules: asked, defaults: { password: '' } })
  return (
    <FormDialog
      small
      title={say('Your password again')}
      form={form}
      does={say('Continue')}
      doing={say('Checking…')}
      onClose={() => onEnd(false)}
      onSubmit={async (typed) => {
        await send(confirmPassword, typed).catch((error: Error & Partial<Refusal>) => {
          throw error.errors?.length ? error : { errors: [error.message] }
        })
        onEnd(true)
      }}
    >
      <p className="text-ink-soft">
        {say('We ask because you last entered it more than {minutes} minutes ago.', {
          minutes: PASSWORD_AGAIN_MINUTES,
        })}
      </p>
      <PasswordField label={say('Your password')} {...form.field('password')} />
    </FormDialog>
  )
}
