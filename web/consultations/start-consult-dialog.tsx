import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { TERMS_VERSION } from '#contract/accounts.ts'
import { CONSULT_TYPES, type Consultation, listConsultations, MOST_OPEN } from '#contract/consultations.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { Pet } from '#contract/pets.ts'
import * as lengths from '#contract/lengths.ts'
import { tellAnalytics } from '../lib/analytics.ts'
import { ApiError } from '../lib/api.ts'
import { refusalOf } from '../lib/for-form.ts'
import { beginningWith } from '../lib/rules.ts'
import { TermsBox } from '../lib/terms-box.tsx'
import { PetChoice } from '../pets/pet-choice.tsx'
import { myPets } from '../pets/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import type { Rules } from '../ui/form-state.ts'
import { Form, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { say, sentence } from '../ui/say.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { roomOf } from '../lib/room-address.ts'
import { OpenConsults } from './open-consults.tsx'
import { handOverPhotos, type Photo } from './photo-draft.ts'
import { Photos } from './photos.tsx'
import { queueNow, useStartConsultation } from './queries.ts'
import { signsChecked } from '../urgency/check-place.ts'
import { CheckStep, PastSigns } from '../urgency/check-step.tsx'
import { WaitNow } from './wait.tsx'

const NO_ANSWER = sentence(
  'We couldn’t reach VetChat, so we don’t know whether your consult has started. If it has, it appears here once you’re back online. If not, please try again. What you wrote is still here.',
)

export interface ConsultTyped {
  pet: string
  issue: string
  agreed: boolean
  /** The emergency check's answers, after the pet's number: "7:none". */
  checked: string
}

export const consultRules: Rules<ConsultTyped> = ({ pet, issue, agreed }) => ({
  ...beginningWith(say(sentenceOf('CONSULT_DETAILS_MISSING')), {
    pet: !pet && say('Choose your pet.'),
    issue: !issue.trim() && say('Tell the vet what’s wrong.'),
  }),
  ...(issue.trim().length > lengths.issue && { issue: sentenceOf('TEXT_TOO_LONG') }),
  agreed: !agreed && sentenceOf('CONSULT_TERMS_NOT_AGREED'),
})

interface Props {
  type: 1 | 2
  /** The open consults. The newest is offered first, and there can't be more than MOST_OPEN. */
  open: Consultation[]
  onClose: () => void
  onAddPet: () => void
  onText: () => void
}

export function StartConsultDialog(props: Props) {
  const pets = useQuery(myPets)
  /** Those open before this one, which joins the list before its page opens. */
  const [before, setBefore] = useState<Consultation[]>()
  const open = before ?? props.open
  const title = props.type === CONSULT_TYPES.video ? say('Video Now') : say('Text Now')
  if (open.length >= MOST_OPEN)
    return (
      <Dialog title={title} onClose={props.onClose}>
        <OpenConsults open={open} />
      </Dialog>
    )
  if (pets.data && pets.data.length > 0)
    return (
      <StartForm
        {...props}
        open={open}
        title={title}
        pets={pets.data}
        onStarting={(isStarting) => setBefore(isStarting ? open : undefined)}
      />
    )
  return (
    <Dialog title={title} onClose={props.onClose}>
      {pets.data ? (
        <Empty
          scene="empty-no-pets"
          title={say('Add pet before starting a consult')}
          action={
            <Button variant="primary" onClick={props.onAddPet}>
              {say('Add pet')}
            </Button>
          }
        >
          {say('So a vet knows your pet’s age and breed before the first question.')}
        </Empty>
      ) : (
        <RowsLoading of={pets} what={say('your pets')} />
      )}
    </Dialog>
  )
}

function StartForm({
  type,
  open: [newest],
  onClose,
  onText,
  onStarting,
  title,
  pets,
}: Props & { title: string; pets: Pet[]; onStarting: (isStarting: boolean) => void }) {
  const client = useQueryClient()
  const start = useStartConsultation()
  const queue = useQuery(queueNow).data
  const [closed, setClosed] = useState('')
  const [going, setGoing] = useState(false)
  const [photos, setPhotos] = useState<Photo[]>([])
  const form = useForm({
    rules: consultRules,
    defaults: { pet: pets.length === 1 ? String(pets[0]!.id) : '', issue: '', agreed: false, checked: '' },
    draft: 'consult',
  })
  const [pet, checked] = [form.hook.watch('pet'), form.hook.watch('checked')]
  const [tap, setTap] = useState<{ pet: string; sign: string | undefined }>()
  const tapped = tap?.pet === pet ? tap.sign : undefined
  const isChecked = pet !== '' && checked.startsWith(`${pet}:`)
  const wasChecked = useRef(isChecked)
  useEffect(() => {
    if (isChecked !== wasChecked.current) document.querySelector<HTMLElement>('dialog[open] h2')?.focus()
    wasChecked.current = isChecked
  }, [isChecked])

  async function submit({ pet, issue, agreed, checked }: ConsultTyped) {
    onStarting(true)
    try {
      const { consultation } = await start({
        pet_id: Number(pet),
        pet_issue: issue,
        type,
        signs: signsChecked(checked),
        agreed,
        terms: TERMS_VERSION,
      })
      const said = { item: 'consult', item_name: type === CONSULT_TYPES.video ? 'video' : 'text' }
      tellAnalytics({ event: 'consult', path: '/myaccount', ...said })
      setGoing(true)
      await handOverPhotos('consult', consultation.id, photos)
      location.assign(roomOf({ id: consultation.id, type }))
    } catch (error) {
      onStarting(false)
      // They were opened on another device or in another tab. The page then shows them instead of this form.
      if (error instanceof ApiError && error.code === 'CONSULTS_OPEN')
        await client.invalidateQueries({ queryKey: [listConsultations.path] })
      const isClosed = error instanceof ApiError && error.code === 'CONSULT_CLOSED_HOURS'
      if (!isClosed) throw refusalOf(error, say(NO_ANSWER))
      setClosed(error.message)
      // The dialog shows the error and keeps the text.
      throw { errors: [] }
    }
  }

  // Shown before anybody types. An earlier draft stays until we open.
  if (queue?.open === false && !going)
    return (
      <Dialog small onClose={onClose} title={title} keeps={say('Ok')}>
        <WaitNow queue={queue} />
      </Dialog>
    )
  const about = pets.find(({ id }) => String(id) === pet)
  if (!isChecked)
    return (
      <Dialog onClose={onClose} title={title} foot={about && !tapped && <PastSigns pet={about} />}>
        {pets.length > 1 && <PetChoice pets={pets} {...form.field('pet')} />}
        {about && (
          <CheckStep
            key={about.id}
            pet={about}
            tapped={tapped}
            onTap={(sign) => setTap({ pet, sign })}
            onDone={(signs) => form.hook.setValue('checked', `${about.id}:${signs.join(',') || 'none'}`)}
          />
        )}
      </Dialog>
    )
  return (
    <Dialog
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button
            type="submit"
            form={form.id}
            variant="primary"
            busy={form.busy || going}
            busyLabel={say('Starting…')}
          >
            {type === CONSULT_TYPES.video ? say('Start video consult') : say('Start text consult')}
          </Button>
          <Button variant="text" className="max-sm:hidden" onClick={onClose}>
            {say('Cancel')}
          </Button>
        </>
      }
    >
      {type === CONSULT_TYPES.video && (
        <p className="text-ink-soft">
          {say('Your vet rings you here. A video consult uses about 5 MB of data a minute.')}{' '}
          <button
            type="button"
            className="min-h-11 font-semi text-green underline underline-offset-4"
            onClick={onText}
          >
            {say('Choose text instead')}
          </button>
        </p>
      )}
      {queue && <WaitNow queue={queue} />}
      {newest && (
        <Note
          tone="info"
          icon="message-circle"
          title={say('A consult about {name} is open', { name: newest.pet.name })}
        >
          {say('{consult}, or start another one below.', {
            consult: <Link href={roomOf(newest)}>{say('Go back to it')}</Link>,
          })}
        </Note>
      )}
      <Form form={form} onSubmit={submit}>
        <PetChoice pets={pets} {...form.field('pet')} />
        <Textarea
          label={say('What’s wrong?')}
          help={say('When it started, what’s changed, what your pet ate.')}
          {...form.field('issue')}
        />
        <Photos draft="consult" photos={photos} onPhotos={setPhotos} />
        <TermsBox {...form.check('agreed')} />
      </Form>
      {closed && (
        <Dialog small onClose={() => setClosed('')} title={say('Our vets are offline now')} keeps={say('Ok')}>
          <p role="alert">{say(closed)}</p>
          <p className="text-ink-soft">{say('What you wrote is kept here for when they are back.')}</p>
        </Dialog>
      )}
    </Dialog>
  )
}
