import { CONSULT_TYPES, type OpenConsult } from '#contract/consultations.ts'
import { timeOrDay } from '../lib/dates.ts'
import { PetFace } from '../pets/pet-face.tsx'
import { AvatarPair, VetAvatar } from '../ui/avatar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { say } from '../ui/say.ts'
import { roomOf } from '../lib/room-address.ts'
import { shortVet } from './vet-name.ts'

/** An open consult: one press leads back to it. */
export function InProgress({
  consultation,
}: {
  consultation: Omit<OpenConsult, 'unread' | 'said'> & Partial<OpenConsult>
}) {
  const { id, type, pet, vet_name, vet_start, start, pet_issue, unread = 0, said } = consultation
  const since = vet_start ?? start
  const when = timeOrDay(since)
  return (
    <section
      aria-labelledby={`open-${id} about-${id}`}
      className="stack gap-5 rounded-panel bg-night p-5 text-on-night [--ring:var(--color-night)] [&_:focus-visible]:outline-on-night md:grid-cols-[minmax(0,1fr)_auto] md:items-center lg:p-8"
    >
      <div className="stack gap-3">
        <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4">
          {vet_name ? (
            <AvatarPair>
              <span className="contents [&>span]:bg-on-night [&>span]:text-night-ink">
                <VetAvatar name={vet_name} size={56} />
              </span>
              <PetFace species={pet.species_id} size={32} />
            </AvatarPair>
          ) : (
            <PetFace species={pet.species_id} size={56} />
          )}
          <div>
            <h2 id={`open-${id}`} className="t22">
              {vet_name ? say('{vet} is with you', { vet: shortVet(vet_name) }) : say('Waiting for a vet')}
            </h2>
            <p id={`about-${id}`} className="text-on-night-soft">
              {type === CONSULT_TYPES.video
                ? say('Video consult about {name}, since {when}', { name: pet.name, when })
                : say('Text consult about {name}, since {when}', { name: pet.name, when })}
            </p>
          </div>
        </div>
        {unread > 0 ? (
          <p className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-3">
            <span className="grid size-6 place-items-center rounded-full bg-on-night text-14 font-semi text-night-ink">
              <span aria-hidden="true">{unread}</span>
              <span className="sr-only">
                {unread === 1 ? say('1 new message') : say('{n} new messages', { n: unread })}
              </span>
            </span>
            <span className="line-clamp-2">{said ? `“${said}”` : say('A photo or file')}</span>
          </p>
        ) : (
          <p className="line-clamp-2">“{pet_issue}”</p>
        )}
      </div>
      <LinkButton variant="night" size={56} href={roomOf(consultation)}>
        {say('Open the chat')}
      </LinkButton>
    </section>
  )
}
