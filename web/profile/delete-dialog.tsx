import { type User } from '#contract/accounts.ts'
import { RECORDS_KEPT_YEARS } from '#contract/profile.ts'
import { noPassword, rules } from '../lib/rules.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Note } from '../ui/note.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { say } from '../ui/say.ts'
import { useDeleteAccount } from './queries.ts'

const asked = rules(({ password }: { password: string }) => ({ password: noPassword(password) }))

/** Says what ends, what goes and what stays before the password is asked. */
export function DeleteDialog({
  user,
  onClose,
  onDeleting,
  onDeleted,
}: {
  user: User
  onClose: () => void
  onDeleting: (deleting: boolean) => void
  onDeleted: () => void
}) {
  const send = useDeleteAccount()
  const form = useForm({ schema: asked, defaults: { password: '' } })

  async function remove(values: { password: string }) {
    onDeleting(true)
    try {
      await send(values)
    } catch (error) {
      onDeleting(false)
      throw error
    }
    onDeleted()
  }

  return (
    <Dialog
      small
      open
      onClose={onClose}
      title={say('Delete your account?')}
      foot={
        <>
          <Button type="submit" form={form.id} variant="danger" busy={form.busy} busyLabel={say('Deleting…')}>
            {say('Delete my account')}
          </Button>
          <Button variant="line" onClick={onClose}>
            {say('Keep it')}
          </Button>
        </>
      }
    >
      {user.subscription && (
        <Note tone="urgent" icon="triangle-alert" title={say('Your membership ends now')}>
          {say(
            'It does not run to the end of what you paid for, and the rest is not paid back. Consults and PawCare end with it, and nothing more is charged.',
          )}
        </Note>
      )}
      <ul className="stack list-disc gap-2 pl-5">
        <li>
          {say(
            'Your mobile number, address, password and card are removed now. You are signed out everywhere.',
          )}
        </li>
        <li>
          {say(
            'The law has clinical records kept for {years} years. So if you had a consult, your name, email, the pets our vets saw and what was said stay until {years} years after the last one. Then they are erased too.',
            { years: RECORDS_KEPT_YEARS },
          )}
        </li>
        <li>{say('Receipts stay in our books for as long as tax law asks.')}</li>
        <li>{say('This can not be undone.')}</li>
      </ul>
      <Form form={form} onSubmit={remove}>
        <PasswordField
          label={say('Your password')}
          autoComplete="current-password"
          {...form.field('password')}
        />
      </Form>
    </Dialog>
  )
}
