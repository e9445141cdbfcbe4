import type { Pet } from '#contract/pets.ts'
import { Choices, ChoiceTile } from '../ui/choice-card.tsx'
import type { Field } from '../ui/form.tsx'
import { say } from '../ui/say.ts'
import { PetFace } from './pet-face.tsx'

/** Chooses which pet a form is about: {...form.field('pet')}. */
export const PetChoice = ({ pets, id, error, defaultValue, ...radio }: Field & { pets: Pet[] }) => (
  <Choices legend={say('Which pet is it about?')} across="tiles" id={id} error={error}>
    {pets.map((pet) => (
      <ChoiceTile
        key={pet.id}
        small
        {...radio}
        value={String(pet.id)}
        defaultChecked={defaultValue === String(pet.id)}
        title={pet.name}
        picture={<PetFace species={pet.species_id} picture={pet.pet_image} size={44} />}
      />
    ))}
  </Choices>
)
