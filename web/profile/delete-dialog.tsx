import { type User } from '#contract/accounts.ts'
import { RECORDS_KEPT_YEARS } from '#contract/profile.ts'
import { noPassword } from '../lib/rules.ts'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Note } from '../ui/note.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { say } from '../ui/say.ts'
import { useDeleteAccount } from './queries.ts'

const asked = ({ password }: { password: string }) => ({ password: noPassword(password) })

/** From the press until the response the session may end, and the page doesn't leave for /login. */
export type Deletion = 'sent' | 'done' | undefined
export interface DeletionProps {
  onDeletion: (deletion: Deletion) => void
}

/** Says what ends, what is deleted and what stays, before it asks for the password. */
export function DeleteDialog({
  user,
  onClose,
  onDeletion,
}: { user: User; onClose: () => void } & DeletionProps) {
  const send = useDeleteAccount()
  const form = useForm({ rules: asked, defaults: { password: '' } })

  async function remove(values: { password: string }) {
    onDeletion('sent')
    try {
      await send(values)
    } catch (error) {
      onDeletion(undefined)
      throw error
    }
    onDeletion('done')
  }

  return (
    <FormDialog
      small
      danger
      title={say('Delete your account?')}
      form={form}
      does={say('Delete my account')}
      doing={say('Deleting…')}
      keeps={say('Keep it')}
      onClose={onClose}
      onSubmit={remove}
    >
      {user.subscription && (
        <Note tone="urgent" icon="triangle-alert" title={say('Your membership ends now')}>
          {say(
            'It won’t run to the end of the time you’ve paid for, and the rest isn’t refunded. Consults and PawCare end with it, and nothing more is charged.',
          )}
        </Note>
      )}
      <ul className="stack list-disc gap-2 pl-5">
        <li>
          {say(
            'Your mobile number, address, password and card are removed straight away, and you’re signed out everywhere.',
          )}
        </li>
        <li>
          {say(
            'The law requires clinical records to be kept for {years} years. So if you’ve had a consult, we keep your name, your email, the pets our vets saw and what was said until {years} years after your last one. Then we erase those too.',
            { years: RECORDS_KEPT_YEARS },
          )}
        </li>
        {user.subscriptions.length > 0 && (
          <li>
            {say(
              'The insurer will still decide any PawCare claims you’ve sent, and write to you about them. Until then we keep those claims, with your name, your email and the pet.',
            )}
          </li>
        )}
        <li>{say('We keep receipts for as long as tax law requires.')}</li>
        <li>{say('This can’t be undone.')}</li>
      </ul>
      <PasswordField label={say('Your password')} {...form.field('password')} />
    </FormDialog>
  )
}
