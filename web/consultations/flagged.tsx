import type { Room } from '#contract/consultations.ts'
import type { Flag } from '#contract/urgency.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/say.ts'
import { CannotWait } from '../urgency/cannot-wait.tsx'
import { Steps } from '../ui/steps.tsx'
import { shortVet } from './vet-name.ts'
import { ClinicList, GoThere, useOpenClinics } from '../urgency/open-clinics.tsx'

/** Says that the consult can't wait, why, and what to do until a vet joins or is back. In an emergency, the clinic comes first. */
export function Flagged({ flag, room }: { flag: Flag | null | undefined; room: Room }) {
  const card = useRef<HTMLDivElement>(null)
  const level = flag?.level
  const was = useRef(level)
  // While the page is open, it may be flagged by what the owner writes further down, so we show it.
  useEffect(() => {
    if (level !== was.current && was.current !== 'emergency') card.current?.scrollIntoView()
    was.current = level
  }, [level])
  if (!flag) return null
  const isEmergency = level === 'emergency'
  const clinic = <Clinics isEmergency={isEmergency} />
  const { name } = room.pet
  const vet = room.end === null && room.vet_name && shortVet(room.vet_name)
  const isSeenNow = room.asked_again ? !room.asked_again.nobody : room.waiting?.minutes
  return (
    <div ref={card} className="scroll-mt-4">
      <CannotWait
        flag={flag}
        role={isEmergency ? 'alert' : 'status'}
        icon="triangle-alert"
        heading="h2"
        title={isEmergency ? say('Flagged as an emergency') : say('Flagged as urgent')}
        why={
          <>
            {flag.told === null
              ? say('A vet has read what you wrote.')
              : say('You told us “{words}”.', { words: flag.told })}{' '}
            {vet
              ? say('We’ve told {vet} that it’s an emergency.', { vet })
              : isSeenNow
                ? say('Vets on duty see {name} before cases that can wait.', { name })
                : say('The next vet on duty will see {name} before cases that can wait.', { name })}
          </>
        }
      >
        {isEmergency && (
          <div className="stack gap-3">
            <p>
              <strong className="font-semi">{say('Go to a clinic now.')}</strong>{' '}
              {flag.told !== null && flag.reason}
            </p>
            {clinic}
          </div>
        )}
        <h3 className="font-semi">
          {vet
            ? say('On the way, or until {vet} answers', { vet })
            : isEmergency
              ? say('On the way, or until a vet joins')
              : say('Until a vet joins')}
        </h3>
        <Steps steps={flag.advice} />
        {!isEmergency && (
          <div className="stack gap-3 border-t border-line pt-4">
            <p>
              <strong className="font-semi">{say('Don’t wait for us')}</strong>{' '}
              {say('if {name} gets worse.', { name })}
            </p>
            {clinic}
          </div>
        )}
      </CannotWait>
    </div>
  )
}

/** Above the conversation with a vet who is in another case. */
export const FlaggedMeanwhile = ({ room }: { room: Room }) => (
  <div className="mx-auto w-full max-w-[760px] p-4 lg:p-6">
    <Flagged flag={room.flag} room={room} />
  </div>
)

/** Where to go. In an emergency it's shown straight away, otherwise on request. */
function Clinics({ isEmergency }: { isEmergency: boolean }) {
  const [isShown, show] = useState(isEmergency)
  if (isShown) return <OpenNow />
  return (
    <Button variant="urgent-soft" icon="map-pin" wide onClick={() => show(true)}>
      {say('Find an open clinic')}
    </Button>
  )
}

function OpenNow() {
  const [chosen, choose] = useState<string>()
  const found = useOpenClinics(chosen)
  function answer(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    choose((submitter as HTMLButtonElement).value)
  }
  return (
    <form onSubmit={answer} className="stack gap-3">
      <GoThere first={found.clinics?.[0]} />
      <ClinicList found={found} stacked />
    </form>
  )
}
