import type { SignedInClinic } from '#contract/portal.ts'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RadioList } from '../ui/radio.tsx'
import { useSetClinicMail } from './queries.ts'

export function MailDialog({ clinic, onClose }: { clinic: SignedInClinic; onClose: () => void }) {
  const form = useForm({ defaults: { notify: clinic.notify } })
  const save = useSetClinicMail()
  return (
    <FormDialog
      small
      title="When we email you"
      form={form}
      does="Save"
      keeps="Not now"
      onClose={onClose}
      onSubmit={async (chosen) => {
        await save(chosen)
        onClose()
      }}
    >
      <p className="text-ink-soft">
        {clinic.email
          ? `We’ll email ${clinic.email}. Cases appear in the portal as soon as the consult has ended, whatever you choose.`
          : 'VetChat has no email for your clinic yet. Ask us to add one.'}
      </p>
      <RadioList
        legend="Emails about cases"
        options={[
          { value: 'straight away', label: 'Straight away, at any hour' },
          {
            value: 'in the morning',
            label:
              'In the morning: one email at 07:00 about everything since 18:00. During the day, straight away',
          },
        ]}
        {...form.field('notify')}
      />
    </FormDialog>
  )
}
