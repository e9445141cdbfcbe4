import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { TERMS_VERSION } from '#contract/accounts.ts'
import type { Room } from '#contract/consultations.ts'
import * as lengths from '#contract/lengths.ts'
import { clinicsFound, useChooseClinic } from '../chat/queries.ts'
import { failed } from '../lib/api.ts'
import { dayAndTime } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failed } from '../ui/empty.tsx'
import { RadioList } from '../ui/radio.tsx'
import { say } from '../ui/say.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'

/** How many letters a search needs, and the pause in typing before it starts. */
const SHORTEST = 2
const PAUSE_MS = 250

/** The owner's own clinic gets the summary only if the owner chose it and agreed. */
export function OwnClinicDialog({ room: { id, clinic, pet }, onClose }: { room: Room; onClose: () => void }) {
  const group = useId()
  const choose = useChooseClinic(id)
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<number | undefined>(clinic?.id)
  const [agreed, setAgreed] = useState(false)
  const [trouble, setTrouble] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(q.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [q])
  const found = useQuery({ ...clinicsFound(id, asked), enabled: asked.length >= SHORTEST })
  const send = (input: { clinic: number | null; agreed: boolean }) =>
    choose.mutate(
      { id, ...input, terms: TERMS_VERSION },
      { onSuccess: onClose, onError: (error) => setTrouble(failed(error)) },
    )
  const share = () => {
    if (chosen === undefined) return setTrouble(say('Please choose your clinic from the list.'))
    if (!agreed) return setTrouble(say('Please tick the box to agree that we may send the summary.'))
    send({ clinic: chosen, agreed: true })
  }

  return (
    <Dialog
      open
      title={say('Your own clinic')}
      onClose={onClose}
      foot={
        <>
          <Button variant="primary" busy={choose.isPending} busyLabel={say('Saving…')} onClick={share}>
            {say('Send the summary to them')}
          </Button>
          {clinic ? (
            <Button onClick={() => send({ clinic: null, agreed: false })}>{say('Don’t send it')}</Button>
          ) : (
            <Button onClick={onClose}>{say('Not now')}</Button>
          )}
        </>
      }
    >
      <p className="text-ink-soft">
        {say(
          'After the consult, the vet’s summary about {name} can go to the clinic you use, so that they know what was said.',
          { name: pet.name },
        )}
      </p>
      {clinic && (
        <p>
          {say('{clinic} will get the summary. You agreed on {day}.', {
            clinic: <span className="font-semi">{clinic.clinic}</span>,
            day: dayAndTime(clinic.shared_at),
          })}
        </p>
      )}
      <TextField
        label={say('Clinic or town')}
        help={say('The first few letters are enough')}
        autoComplete="off"
        maxLength={lengths.search}
        value={q}
        onChange={(event) => {
          setQ(event.target.value)
          setChosen(undefined)
        }}
      />
      {asked.length >= SHORTEST &&
        (found.data ? (
          found.data.length > 0 ? (
            <RadioList
              legend={say('Clinics found')}
              name={group}
              defaultValue={chosen === undefined ? undefined : String(chosen)}
              options={found.data.map((one) => ({
                value: String(one.id),
                label: [one.clinic, one.address].filter(Boolean).join(', '),
              }))}
              onChange={(event) => {
                setChosen(Number(event.target.value))
                setTrouble('')
              }}
            />
          ) : (
            <p>
              {say(
                'We don’t have a clinic that starts with “{asked}”. You can print the plan or save it as a PDF, and take it with you.',
                { asked },
              )}
            </p>
          )
        ) : found.isError ? (
          <Failed what={say('the clinics')} onRetry={() => void found.refetch()} />
        ) : (
          <SkeletonRows label={say('Looking for clinics')} />
        ))}
      <Checkbox
        checked={agreed}
        onChange={(event) => {
          setAgreed(event.target.checked)
          setTrouble('')
        }}
        label={say('I agree to VetChat sending the summary of this consult to this clinic')}
      />
      <p role="alert" className="text-red empty:hidden">
        {trouble}
      </p>
    </Dialog>
  )
}
