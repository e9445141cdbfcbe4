import { useState } from 'react'
import type { Clinic } from '#contract/clinics.ts'
import { words } from '#contract/errors.ts'
import { isEmail } from '#contract/fields.ts'
import * as lengths from '#contract/lengths.ts'
import { rules } from '../lib/rules.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { useDeleteClinic, useSaveClinic } from './queries.ts'
import { phoneShown } from './week-rules.ts'

const detailRules = rules<{
  clinic: string
  address: string
  state: string
  telephone: string
  email: string
  comments: string
}>(({ clinic, email }) => ({
  clinic: clinic.trim() === '' && words('CLINIC_NAME_MISSING'),
  email: email.trim() !== '' && !isEmail(email) && words('INVALID_EMAIL'),
}))

/** Name, address and numbers of a clinic, and the way to delete it. */
export function ClinicDetails({ clinic, onDeleted }: { clinic: Clinic; onDeleted: () => void }) {
  const save = useSaveClinic()
  const remove = useDeleteClinic()
  const { show } = useAlert()
  const [asking, ask] = useState(false)
  const form = useForm({
    schema: detailRules,
    defaults: {
      clinic: clinic.clinic,
      address: clinic.address,
      state: clinic.state,
      telephone: phoneShown(clinic.telephone),
      email: clinic.email,
      comments: clinic.comments,
    },
  })
  return (
    <>
      <Form
        form={form}
        className="stack max-w-160 gap-5"
        onSubmit={async (sent) => {
          await save({ id: clinic.id, ...sent })
          show(`${sent.clinic.trim()} has been saved.`)
        }}
      >
        <TextField label="Name" autoComplete="off" maxLength={lengths.clinic} {...form.field('clinic')} />
        <TextField
          label="Address"
          optional
          autoComplete="off"
          maxLength={lengths.address}
          help="Owners find their clinic by its town."
          {...form.field('address')}
        />
        <TextField
          label="Province or state"
          optional
          autoComplete="off"
          maxLength={lengths.name}
          {...form.field('state')}
        />
        <TextField
          label="Telephone"
          optional
          type="tel"
          autoComplete="off"
          maxLength={lengths.mobile}
          {...form.field('telephone')}
        />
        <TextField
          label="Email"
          optional
          type="email"
          autoComplete="off"
          help="Where the clinic hears of its consults."
          {...form.field('email')}
        />
        <Textarea
          label="Comments for vets"
          optional
          maxLength={lengths.handOver}
          {...form.field('comments')}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" busy={form.busy} busyLabel="Saving…">
            Save details
          </Button>
          <Button variant="text" icon="trash-2" onClick={() => ask(true)}>
            Delete clinic
          </Button>
        </div>
      </Form>
      {asking && (
        <ConfirmDialog
          title={`Delete ${clinic.clinic}?`}
          does="Delete clinic"
          doing="Deleting…"
          keeps="Keep it"
          onClose={() => ask(false)}
          onConfirm={async () => {
            await remove({ id: clinic.id })
            show(`${clinic.clinic} has been deleted.`)
            onDeleted()
          }}
        >
          <p>
            Its people are signed out and can’t sign in again. No vet can record a phone consult for it.
            Consults that were recorded stay.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
