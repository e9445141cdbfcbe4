import type { ComponentProps } from 'react'
import { DRAWN_SPECIES, PetAvatar } from '../ui/avatar.tsx'
import { say } from '../ui/say.ts'

/** The species in the order of their numbers, which begin at 1. */
export const SPECIES = DRAWN_SPECIES.map(([drawing, name], at) => ({ id: at + 1, drawing, name }))

export function speciesOf(id: number | null) {
  const found = SPECIES.find((one) => one.id === id) ?? SPECIES[SPECIES.length - 1]!
  return { ...found, name: say(found.name) }
}

/** A pet's picture in list size, or its species' drawing. */
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
