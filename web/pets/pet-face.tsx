import type { ComponentProps } from 'react'
import { PetAvatar, type SpeciesName } from '../ui/avatar.tsx'

/** The species in the order of their numbers, which begin at 1. */
export const SPECIES: readonly { id: number; drawing: SpeciesName; name: string }[] = (
  [
    ['dog', 'Dog'],
    ['cat', 'Cat'],
    ['rabbit', 'Rabbit'],
    ['guinea-pig', 'Guinea pig'],
    ['bird', 'Bird'],
    ['rat', 'Rat'],
    ['mouse', 'Mouse'],
    ['snake', 'Snake'],
    ['turtle', 'Turtle'],
    ['unicorn', 'Unicorn'],
    ['other', 'Other'],
  ] as const
).map(([drawing, name], at) => ({ id: at + 1, drawing, name }))

export const speciesOf = (id: number | null) =>
  SPECIES.find((one) => one.id === id) ?? SPECIES[SPECIES.length - 1]!

/** A pet's picture in the size of a list, or the drawing of its species. */
export const PetFace = ({
  species,
  picture,
  size,
}: { species: number | null; picture?: string | null } & Pick<ComponentProps<typeof PetAvatar>, 'size'>) => (
  <PetAvatar
    species={speciesOf(species).drawing}
    picture={picture?.replace(/-800\.jpg$/, '-160.webp')}
    size={size}
  />
)
