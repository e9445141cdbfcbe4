import { isUsername } from '#contract/clinics.ts'
import { sentenceOf } from '#contract/errors.ts'
import { isEmail } from '#contract/fields.ts'
import * as lengths from '#contract/lengths.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useAddClinic } from './queries.ts'

export function AddClinicDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (id: number) => void
}) {
  const add = useAddClinic()
  const { show } = useAlert()
  const form = useForm({
    rules: ({ clinic, email, username }) => ({
      clinic: clinic.trim() === '' && sentenceOf('CLINIC_NAME_MISSING'),
      email: email.trim() !== '' && !isEmail(email) && sentenceOf('INVALID_EMAIL'),
      username: username.trim() !== '' && !isUsername(username) && sentenceOf('USERNAME_SHORT'),
    }),
    defaults: { clinic: '', email: '', username: '' },
  })
  return (
    <FormDialog
      small
      title="Add clinic"
      form={form}
      does="Add clinic"
      doing="Adding…"
      onClose={onClose}
      onSubmit={async (sent) => {
        const { id, clinic } = await add(sent)
        show(`${clinic} has been added. Now add who to call.`)
        onAdded(id)
      }}
    >
      <TextField label="Name" autoComplete="off" maxLength={lengths.clinic} {...form.field('clinic')} />
      <TextField
        label="Email"
        optional
        type="email"
        autoComplete="off"
        help="Where we email the clinic about its consults."
        {...form.field('email')}
      />
      <TextField
        label="Username"
        optional
        autoComplete="off"
        autoCapitalize="none"
        help="For the clinic portal, at least 8 characters. You can add it later."
        maxLength={lengths.name}
        {...form.field('username')}
      />
    </FormDialog>
  )
}
