import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Pet } from '#contract/pets.ts'
import { currentUser } from '../lib/current-user.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { GoNow, MoreSigns, Reviewed } from './go-now.tsx'
import { ClinicList, useOpenClinics } from './open-clinics.tsx'
import { checkFor, pastSigns } from './queries.ts'
import { idOfSign, SignList } from './sign-list.tsx'

const FORM = 'emergency-check'

/** The button in the dialog's foot that skips the signs. */
export function PastSigns({ pet }: { pet: Pet }) {
  const { data, isError } = useQuery(checkFor(pet.species_id))
  return (
    <Button type="submit" form={FORM} name="sign" value="none" variant="primary">
      {pastSigns(data, isError)}
    </Button>
  )
}

/** The emergency check in the dialog that starts a consult. Returns the signs that were tapped. */
export function CheckStep({
  pet,
  tapped,
  onTap,
  onDone,
}: {
  pet: Pet
  /** The tapped sign, for which the dialog shows where to go now. */
  tapped: string | undefined
  onTap: (sign: string | undefined) => void
  onDone: (signs: string[]) => void
}) {
  const asked = useQuery(checkFor(pet.species_id))
  const clinic = useQuery(currentUser).data?.user_clinic.trim()
  const [chosen, setChosen] = useState<string>()
  const found = useOpenClinics(chosen)
  const last = useRef<string>(undefined)
  const heading = useRef<HTMLHeadingElement>(null)
  const check = asked.data
  const sign = check?.groups.flatMap(({ signs }) => signs).find(({ id }) => id === tapped)

  useEffect(() => {
    if (tapped) heading.current?.focus()
    else if (last.current) document.getElementById(idOfSign(last.current))?.focus()
    last.current = tapped ?? last.current
  }, [tapped])

  function answer(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const sent = new FormData(event.currentTarget, submitter)
    if (sent.has('area')) return setChosen(String(sent.get('area')))
    const signs = sent.getAll('sign').map(String)
    if (sign || signs.includes('none')) onDone(signs.filter((one) => one !== 'none'))
    else onTap(signs[0])
  }

  if (check && sign)
    return (
      <form onSubmit={answer} className="stack gap-4">
        <input type="hidden" name="sign" value={sign.id} />
        <p className="-my-2">
          <button
            type="button"
            onClick={() => onTap(undefined)}
            className="inline-flex min-h-11 items-center gap-2 font-semi text-green underline-offset-4 hover:underline"
          >
            <Icon name="arrow-left" />
            {say('Back to the signs')}
          </button>
        </p>
        <GoNow
          sign={sign}
          clinic={clinic}
          found={found}
          list={<ClinicList found={found} stacked />}
          stacked
          title={
            <h3 ref={heading} tabIndex={-1} className="t28 text-coral-soft-ink">
              {say('Take {name} to a clinic now', { name: pet.name })}
            </h3>
          }
        >
          <MoreSigns check={check} sign={sign} />
          <section className="stack gap-3" aria-labelledby="talk">
            <h3 id="talk" className="t18">
              {say('Is somebody else driving?')}
            </h3>
            <p className="text-ink-soft">
              {say(
                'A vet can help you until you get there, by text or video. It doesn’t replace the clinic.',
              )}
            </p>
            <Button type="submit" icon="message-circle" className="justify-self-start max-xs:w-full">
              {say('Talk to a vet on the way')}
            </Button>
          </section>
          <Reviewed review={check.reviewed} />
        </GoNow>
      </form>
    )
  return (
    <form id={FORM} onSubmit={answer} className="stack gap-4">
      <div className="stack gap-1">
        <h3 className="t22">{say('Do you see any of these right now?')}</h3>
        <p className="text-ink-soft">{say('Tap it if you do. You can talk to a vet either way.')}</p>
      </div>
      {check ? <SignList check={check} /> : <RowsLoading of={asked} what={say('the signs')} />}
      {check && !check.reviewed && (
        <p className="text-14 text-ink-soft">{say('No vet has reviewed these signs yet.')}</p>
      )}
    </form>
  )
}
