import { memo } from 'react'
import type { User } from '#contract/accounts.ts'
import type { Room } from '#contract/consultations.ts'
import type { Pet } from '#contract/pets.ts'
import { ageSaid, dayAndTime } from '../lib/dates.ts'
import { PetFace, speciesOf } from '../pets/pet-face.tsx'
import { VetAvatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'

export const faceOf = ({ pet }: Room, known: Pet | undefined, size: 40 | 48 | 56) => (
  <PetFace species={pet.species_id} picture={known?.pet_image ?? null} size={size} />
)

interface Props {
  room: Room
  user: User | undefined
  pet: Pet | undefined
  onAccess: () => void
}

/** Beside the conversation where there's room. */
export const AboutConsult = memo(function AboutConsult({ room, user, pet, onAccess }: Props) {
  const { vet_name, vet_id, people } = room
  const vet = people.find(({ id }) => id === vet_id)
  const facts = [
    pet?.breed?.name ?? speciesOf(room.pet.species_id).name,
    pet?.sex && (pet.sex === 1 ? say('male') : say('female')),
    pet && ageSaid(pet),
  ].filter(Boolean)
  return (
    <>
      {vet_name && (
        <section className="flex items-center gap-3 leading-snug">
          <VetAvatar name={vet_name} size={56} />
          <div className="min-w-0">
            <h2 className="text-16 font-semi">{vet_name}</h2>
            <p className="text-14 text-ink-soft">
              {say('Registered vet')}
              {vet?.registration ? `, ${vet.registration}` : ''}
            </p>
          </div>
        </section>
      )}
      <section>
        <div className="flex items-center gap-3 leading-snug">
          {faceOf(room, pet, 56)}
          <div className="min-w-0">
            <h2 className="text-16 font-semi">{room.pet.name}</h2>
            <p className="text-14 text-ink-soft">{facts.join(', ')}</p>
          </div>
        </div>
        <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-[6px] text-14">
          <dt className="text-ink-soft">{say('Asked')}</dt>
          <dd className="text-right font-medium">{dayAndTime(room.start)}</dd>
          {(room.clinic || user?.user_clinic) && (
            <>
              <dt className="text-ink-soft">{say('Your vet clinic')}</dt>
              <dd className="text-right font-medium">{room.clinic?.clinic ?? user?.user_clinic}</dd>
              <dt className="text-ink-soft">{say('Gets the summary')}</dt>
              <dd className="text-right font-medium">{room.clinic ? say('Yes, you agreed') : say('No')}</dd>
            </>
          )}
        </dl>
      </section>
      <section className="text-14 text-ink-soft">
        <p className="flex items-start gap-2">
          <Icon name="shield-check" className="mt-px" />
          <span>
            {say('You and VetChat’s vets can open this consult. We keep a record each time it’s opened.')}
          </span>
        </p>
        <Button variant="text" size={44} className="mt-1 ml-4" onClick={onAccess}>
          {say('See who opened it')}
        </Button>
      </section>
    </>
  )
})
