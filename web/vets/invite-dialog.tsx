import * as lengths from '#contract/lengths.ts'
import { REGISTRATION_LENGTH, type Vet } from '#contract/vets.ts'
import { noNames } from '../lib/rules.ts'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useInviteVet } from './queries.ts'
import { noRegistration } from './vet-words.ts'

/** Creates an account for a vet who has none, and mails them a link to it. */
export function InviteDialog({
  email,
  onInvited,
  onClose,
}: {
  email: string
  onInvited: (vet: Vet) => void
  onClose: () => void
}) {
  const invite = useInviteVet()
  const form = useForm({
    rules: (typed) => ({ ...noNames(typed), registration: noRegistration(typed.registration) }),
    defaults: { firstName: '', lastName: '', registration: '' },
  })
  return (
    <FormDialog
      title="Invite a vet"
      form={form}
      does="Invite as a vet"
      doing="Inviting…"
      keeps="Don’t invite"
      onClose={onClose}
      onSubmit={async (typed) => {
        const vet = await invite({ email, ...typed })
        onInvited(vet)
        return `We’ve emailed Dr ${vet.firstName} ${vet.lastName} a link to set a password.`
      }}
    >
      <p>
        We’ll email a link to <b className="font-semi break-all">{email}</b>. It works for 48 hours.
      </p>
      <TextField
        label="First name"
        autoComplete="off"
        maxLength={lengths.name}
        {...form.field('firstName')}
      />
      <TextField label="Last name" autoComplete="off" maxLength={lengths.name} {...form.field('lastName')} />
      <TextField
        label="Registration number"
        maxLength={REGISTRATION_LENGTH}
        autoComplete="off"
        help="Check it on the council’s register first. Owners see it."
        {...form.field('registration')}
      />
    </FormDialog>
  )
}
