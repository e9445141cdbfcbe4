import type { Room } from '#contract/consultations.ts'
import type { Flag } from '#contract/urgency.ts'
import { LinkButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { OPEN_CLINICS, Reviewed, Steps } from '../urgency/go-now.tsx'

/** That the consult can't wait, why, and what to do until a vet joins. An emergency names the clinic first. */
export function Flagged({ flag, room }: { flag: Flag; room: Room }) {
  const isEmergency = flag.level === 'emergency'
  const clinic = (
    <LinkButton
      variant={isEmergency ? 'urgent' : 'urgent-soft'}
      icon="map-pin"
      wide
      href={OPEN_CLINICS}
      target="_blank"
      rel="noopener"
    >
      {say('Find an open clinic')}
    </LinkButton>
  )
  return (
    <section aria-labelledby="flagged" className="overflow-clip rounded-card border border-line bg-card">
      <div
        role="status"
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 bg-coral-soft p-5 text-coral-soft-ink"
      >
        <Icon name="triangle-alert" className="mt-[2px]" />
        <div>
          <h2 id="flagged" className="t18">
            {isEmergency ? say('Flagged as an emergency') : say('Flagged as urgent')}
          </h2>
          <p className="mt-1 text-ink">
            {flag.told === null
              ? say('A vet has read what you wrote. Vets on duty see {name} before cases that can wait.', {
                  name: room.pet.name,
                })
              : say('You told us “{words}”. Vets on duty see {name} before cases that can wait.', {
                  words: flag.told,
                  name: room.pet.name,
                })}
          </p>
        </div>
      </div>
      <div className="stack gap-4 p-5">
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
          {isEmergency ? say('On the way, or until a vet joins') : say('Until a vet joins')}
        </h3>
        <Steps steps={flag.advice} />
        {!isEmergency && (
          <div className="stack gap-3 border-t border-line pt-4">
            <p>
              <strong className="font-semi">{say('Don’t wait for us')}</strong>{' '}
              {say('if {name} gets worse.', { name: room.pet.name })}
            </p>
            {clinic}
          </div>
        )}
        <Reviewed review={flag.reviewed} />
      </div>
    </section>
  )
}
