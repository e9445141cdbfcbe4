import * as calls from '#contract/pets.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import { tickCare } from './care-writes.ts'
import * as writes from './writes.ts'

export const petRoutes = serve(calls, {
  listSpecies: reads.listSpecies,
  listBreeds: reads.listBreeds,
  listPets: reads.listPets,
  addPet: writes.addPet,
  updatePet: writes.updatePet,
  putPetAway: writes.putPetAway,
  listPetsAway: reads.listPetsAway,
  takePetBack: writes.takePetBack,
  tickCare,
  uploadPicture: writes.uploadPicture,
})
