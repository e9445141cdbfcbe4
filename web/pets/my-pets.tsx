import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Subscription } from '#contract/memberships.ts'
import { type Pet, PETS_PER_MEMBERSHIP } from '#contract/pets.ts'
import { ageOf, dayAndTime } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardHead } from '../ui/card.tsx'
import { Empty, Failed } from '../ui/empty.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { LatePetDialog } from './late-pet-dialog.tsx'
import { PetFace, speciesOf } from './pet-face.tsx'
import { myPets } from './queries.ts'

/** The owner's pets, to look at, change and add to. */
export function MyPets({ membership, managed }: { membership: Subscription | null; managed: boolean }) {
  const pets = useQuery(myPets)
  const [opened, setOpened] = useState<'new' | Pet>()
  const inside = pets.data?.filter(({ id }) => membership?.pets.includes(id)).length ?? 0

  return (
    <Card flush aria-labelledby="my-pets" className="stack">
      <CardHead
        action={
          !managed && (
            <Button variant="text" size={44} icon="plus" onClick={() => setOpened('new')}>
              Add pet
            </Button>
          )
        }
      >
        <h2 id="my-pets" className="t22">
          My Pets
        </h2>
      </CardHead>
      {pets.data ? (
        pets.data.length > 0 ? (
          <ul className="divide-y divide-line">
            {pets.data.map((pet) => (
              <PetRow key={pet.id} pet={pet} onEdit={() => setOpened(pet)} />
            ))}
          </ul>
        ) : (
          <Empty scene="empty-no-pets" title="No pets yet">
            {managed
              ? 'Your partner adds them to this membership.'
              : 'Dogs, cats, rabbits, birds, snakes: all welcome.'}
          </Empty>
        )
      ) : pets.isError ? (
        <Failed what="your pets" onRetry={() => void pets.refetch()} />
      ) : (
        <PetSkeletons />
      )}
      {pets.data && membership && pets.data.length > 0 && (
        <p className="px-5 py-3 text-14 text-ink-soft lg:px-6">
          {inside} of {PETS_PER_MEMBERSHIP} pets on this membership
        </p>
      )}
      {opened && (
        <LatePetDialog pet={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />
      )}
    </Card>
  )
}

export const PetSkeletons = () => <SkeletonRows label="Loading your pets" />

function PetRow({ pet, onEdit }: { pet: Pet; onEdit: () => void }) {
  const { words, icon, look } = coverSaid(pet.cover)
  return (
    <li className="grid min-h-[88px] grid-cols-[56px_minmax(0,1fr)_44px] items-center gap-4 py-4 pr-3 pl-5 lg:pr-4 lg:pl-6">
      <PetFace species={pet.species_id} picture={pet.pet_image} size={56} />
      <div>
        <p className="t18">{pet.name}</p>
        <p className="text-14 text-ink-soft">
          {[pet.breed?.name ?? speciesOf(pet.species_id).name, pet.dob && ageOf(pet.dob)]
            .filter(Boolean)
            .join(', ')}
        </p>
        <p className={`flex items-start gap-[6px] text-14 ${look}`}>
          {icon && <Icon name={icon} size={16} className="mt-[2px]" />}
          {words}
        </p>
      </div>
      <IconButton icon="pencil" label={`Edit ${pet.name}`} onClick={onEdit} />
    </li>
  )
}

/** Where a pet stands with PawCare, in words. */
export function coverSaid({ state, from, why }: Pet['cover']): {
  words: string
  icon?: IconName
  look: string
} {
  if (state === 'covered')
    return { words: 'Covered by PawCare', icon: 'shield-check', look: 'font-medium text-green' }
  if (state === 'waiting')
    return {
      words: `PawCare begins ${from ? dayAndTime(from) : 'soon'}`,
      icon: 'clock',
      look: 'font-medium text-amber',
    }
  const look = 'text-ink-soft'
  if (state === 'opted_out') return { words: 'Opted out of PawCare', look }
  if (why === 'age') return { words: 'PawCare begins at 8 weeks of age', look }
  if (why === 'species') return { words: 'PawCare is for cats and dogs', look }
  return { words: 'No PawCare without a membership', look }
}
