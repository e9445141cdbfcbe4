import { useState } from 'react'
import type { SignedInClinic } from '#contract/portal.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { RadioList } from '../ui/radio.tsx'
import { useSetClinicMail, wentWrong } from './queries.ts'

export function MailDialog({ clinic, onClose }: { clinic: SignedInClinic; onClose: () => void }) {
  const [notify, setNotify] = useState(clinic.notify)
  const save = useSetClinicMail()
  return (
    <Dialog
      small
      title="When we email you"
      onClose={onClose}
      foot={
        <Button
          variant="primary"
          busy={save.isPending}
          onClick={() => save.mutate({ notify }, { onSuccess: onClose })}
        >
          Save
        </Button>
      }
      keeps="Not now"
    >
      <p className="text-ink-soft">
        {clinic.email
          ? `We’ll email ${clinic.email}. Cases appear in the portal as soon as the consult has ended, whatever you choose.`
          : 'VetChat has no email for your clinic yet. Ask us to add one.'}
      </p>
      <RadioList
        legend="Emails about cases"
        name="notify"
        defaultValue={notify}
        options={[
          { value: 'straight away', label: 'Straight away, at any hour' },
          {
            value: 'in the morning',
            label:
              'In the morning: one email at 07:00 about everything since 18:00. During the day, straight away',
          },
        ]}
        onChange={(event) => setNotify(event.target.value as typeof notify)}
      />
      <ErrorLine>{save.isError && wentWrong(save.error)}</ErrorLine>
    </Dialog>
  )
}
