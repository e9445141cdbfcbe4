import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TERMS_VERSION } from '#contract/accounts.ts'
import type { listShares, ShareStep } from '#contract/aftercare.ts'
import type { Output } from '#contract/call.ts'
import type { Room } from '#contract/consultations.ts'
import * as lengths from '#contract/lengths.ts'
import { clinicsFound, sharesOf, useChooseClinic } from './queries.ts'
import { dayAndTime } from '../lib/dates.ts'
import { messageOf } from '../lib/for-form.ts'
import { useTypedSearch } from '../lib/typed-search.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failed } from '../ui/empty.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { useId } from '../ui/id.ts'
import { RadioList } from '../ui/radio.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { TextField } from '../ui/text-field.tsx'

/** How many letters a search needs. */
const SHORTEST = 2

interface Found {
  id: number
  clinic: string
}

/** The owner's own clinic sees the summary only if the owner chose it and agreed, and until they take it back. */
export function OwnClinicDialog({ room, onClose }: { room: Room; onClose: () => void }) {
  const { id, clinic } = room
  const shares = useQuery(sharesOf(id))
  const choose = useChooseClinic(id)
  const [chosen, setChosen] = useState<Found>()
  const [pictures, setPictures] = useState<boolean>()
  const field = useId()
  const [isMissing, setMissing] = useState(false)
  const to = chosen ?? shares.data?.probably ?? undefined
  const withPictures = pictures ?? shares.data?.pictures ?? false
  const send = (input: { clinic: number | null; agreed: boolean; pictures?: boolean }) =>
    choose.mutate({ id, ...input, terms: TERMS_VERSION }, { onSuccess: onClose })
  function share(clinic: number | undefined) {
    if (clinic !== undefined) return send({ clinic, agreed: true, pictures: withPictures })
    setMissing(true)
    document.getElementById(field)?.focus()
  }

  return (
    <Dialog
      title={say('Your own clinic')}
      onClose={onClose}
      foot={
        clinic ? (
          <>
            <Button
              variant="primary"
              busy={choose.isPending}
              busyLabel={say('Saving…')}
              onClick={() => (withPictures === shares.data?.pictures ? onClose() : share(clinic.id))}
            >
              {say('Done')}
            </Button>
            <Button variant="danger-line" onClick={() => send({ clinic: null, agreed: false })}>
              {say('Take it back')}
            </Button>
          </>
        ) : (
          <>
            <Button
              variant="primary"
              busy={choose.isPending}
              busyLabel={say('Saving…')}
              onClick={() => share(to?.id)}
            >
              {to ? say('Share with {clinic}', { clinic: to.clinic }) : say('Share with this clinic')}
            </Button>
            <Button onClick={onClose}>{say('Not now')}</Button>
          </>
        )
      }
    >
      {clinic ? (
        <Shared room={room} clinic={clinic} />
      ) : (
        <>
          <p className="text-ink-soft">
            {say(
              'The clinic you use gets the vet’s summary about {name} and the plan, with your name and mobile number, once the consult has ended. By sharing you agree to that. You can take it back.',
              { name: room.pet.name },
            )}
          </p>
          <Search
            id={id}
            field={field}
            error={isMissing && !to ? say('Please choose your clinic from the list.') : undefined}
            chosen={chosen}
            onChosen={setChosen}
            probably={shares.data?.probably ?? undefined}
          />
        </>
      )}
      <Checkbox
        checked={withPictures}
        onChange={(event) => setPictures(event.target.checked)}
        label={say('Also share the photos that I send in this consult')}
      />
      <ErrorLine>{choose.error && messageOf(choose.error)}</ErrorLine>
      {shares.data && shares.data.steps.length > 0 && <Steps steps={shares.data.steps} />}
      {shares.isError && <Failed what={say('what you shared')} onRetry={() => void shares.refetch()} />}
    </Dialog>
  )
}

/** What the clinic can see now, and what taking it back means. */
function Shared({ room, clinic }: { room: Room; clinic: Room['clinic'] & {} }) {
  const name = <span className="font-semi">{clinic.clinic}</span>
  const told = room.portalDetail.clinic_notified_at !== null
  return (
    <>
      <p>
        {told
          ? say('{clinic} has the summary. You agreed on {day}.', {
              clinic: name,
              day: dayAndTime(clinic.shared_at),
            })
          : say('{clinic} will get the summary. You agreed on {day}.', {
              clinic: name,
              day: dayAndTime(clinic.shared_at),
            })}
      </p>
      <p className="text-ink-soft">
        {told
          ? say(
              'If you take it back, the clinic can’t open it with us any more. It keeps the email that it got.',
            )
          : say('If you take it back, the clinic gets nothing.')}
      </p>
    </>
  )
}

function Search({
  id,
  field,
  error,
  chosen,
  onChosen,
  probably,
}: {
  id: number
  field: string
  error: string | undefined
  chosen: Found | undefined
  onChosen: (found: Found | undefined) => void
  probably: Found | undefined
}) {
  const group = useId()
  const [asked, setAsked] = useState('')
  const { words, type } = useTypedSearch(asked, setAsked)
  const found = useQuery({ ...clinicsFound(id, asked), enabled: asked.length >= SHORTEST })
  return (
    <>
      <TextField
        id={field}
        error={error}
        label={probably ? say('Another clinic, or its town') : say('Clinic or town')}
        help={say('The first few letters are enough')}
        autoComplete="off"
        maxLength={lengths.search}
        value={words}
        onChange={(event) => {
          type(event.target.value)
          onChosen(undefined)
        }}
      />
      {asked.length >= SHORTEST &&
        (found.data ? (
          found.data.length > 0 ? (
            <RadioList
              legend={say('Clinics found')}
              name={group}
              defaultValue={chosen && String(chosen.id)}
              options={found.data.map((one) => ({
                value: String(one.id),
                label: [one.clinic, one.address].filter(Boolean).join(', '),
              }))}
              onChange={({ target }) => onChosen(found.data.find((one) => String(one.id) === target.value))}
            />
          ) : (
            <p>
              {say(
                'We don’t have a clinic that starts with “{asked}”. You can print the plan or save it as a PDF, and take it with you.',
                { asked },
              )}
            </p>
          )
        ) : (
          <RowsLoading of={found} what={say('the clinics')} />
        ))}
    </>
  )
}

const SAYS: Record<ShareStep, Sentence<'clinic'>> = {
  shared: sentence('You shared the summary with {clinic}'),
  told: sentence('{clinic} got it'),
  accepted: sentence('{clinic} confirmed that it has the case'),
  'taken back': sentence('You took it back from {clinic}'),
}
const WITH_PICTURES = sentence('You shared the summary and your photos with {clinic}')

/** What was shared and when, the latest first. */
const Steps = ({ steps }: Pick<Output<typeof listShares>, 'steps'>) => (
  <div>
    <h3 className="t18">{say('What you shared')}</h3>
    <ul className="divide-y divide-line">
      {steps.map(({ step, clinic, pictures, at }) => (
        <li key={`${at} ${step}`} className="py-2">
          <p>{say(pictures ? WITH_PICTURES : SAYS[step], { clinic })}</p>
          <p className="text-14 text-ink-soft tabular-nums">{dayAndTime(at)}</p>
        </li>
      ))}
    </ul>
  </div>
)
