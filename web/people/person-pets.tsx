import { ageOf } from '../lib/dates.ts'
import { PetFace, speciesOf } from '../pets/pet-face.tsx'
import type { Person } from '#contract/people.ts'
import { TwoLines } from '../ui/work-table.tsx'
import { Rows, Section } from '../ui/section.tsx'

export function PersonPets({ person: { pets } }: { person: Person }) {
  const here = pets.filter(({ away }) => !away)
  return (
    <Section title="Pets" said={here.length || undefined}>
      <Rows of={pets} none="No pets yet.">
        {({ id, name, species_id, breed, dob, picture, away }) => (
          <li key={id} className="flex items-center gap-3 px-5 py-3">
            <PetFace species={species_id} picture={picture} size={40} />
            <TwoLines
              bold
              first={name}
              then={[breed ?? speciesOf(species_id).name, dob && ageOf(dob), away && 'no longer here']
                .filter(Boolean)
                .join(', ')}
            />
          </li>
        )}
      </Rows>
    </Section>
  )
}
