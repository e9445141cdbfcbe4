import { TextField } from '../ui/text-field.tsx'
import { say } from '../ui/say.ts'
import { PetFace, speciesOf } from './pet-face.tsx'

/** The server refuses another animal than the policy's. */
export const PolicySpecies = ({ species }: { species: number }) => (
  <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-5">
    <PetFace species={species} size={96} />
    <TextField
      label={say('Species')}
      readOnly
      value={speciesOf(species).name}
      help={say('From your policy. You can’t change it here.')}
    />
  </div>
)
