import * as z from 'zod'
import { call, people } from './call.ts'
import { CARE_ITEMS } from './care.ts'
import { sentenceOf } from './errors.ts'
import {
  agreement,
  changed,
  emptyAsNull,
  file,
  id,
  isoDate,
  isoTime,
  nothing,
  optionalText,
  speciesOf,
  typedName,
} from './fields.ts'
import * as lengths from './lengths.ts'
import { confirmation } from './human.ts'
import { addHours } from './time.ts'

/* An owner's pets, with their pictures and care plans. */

const DOG = 1
const CAT = 2
/** The species that have breeds, and that PawCare covers. */
export const CATS_AND_DOGS: readonly number[] = [DOG, CAT]
export const PETS_PER_MEMBERSHIP = 5
export const PICTURE_BYTES = 16_777_216
/** The widths in which we store a picture: for a list and for a page. */
export const PICTURE_WIDTHS = [160, 800] as const

const Species = z.object({ id: z.number(), name: z.string() })
const Breed = z.object({ id: z.number(), species_id: z.number(), name: z.string() })

/** Whether PawCare covers a pet. */
const Cover = z.object({
  state: z.enum(['covered', 'waiting', 'opted_out', 'not_eligible']),
  /** When cover begins, while the pet waits for it. */
  from: isoTime.nullable(),
  why: z.enum(['species', 'age', 'membership']).nullable(),
})

/** One item of the care plan, with the day it is due or was done. Only members' pets have them. */
const Care = z.object({
  id: z.number(),
  item: z.enum(CARE_ITEMS),
  due_on: isoDate,
  done_on: isoDate.nullable(),
})
export type Care = z.infer<typeof Care>

export const Pet = z.object({
  id: z.number(),
  name: z.string(),
  species_id: z.number(),
  breed_id: z.number().nullable(),
  breed: z.object({ id: z.number(), name: z.string() }).nullable(),
  sex: z.literal([1, 2]).nullable(),
  dob: isoDate.nullable(),
  /** The date was worked out from a guessed age, so it is never shown as a birthday. */
  dob_approximate: z.boolean(),
  desexed: z.boolean().nullable(),
  microchip: z.string(),
  pet_image: z.string().nullable(),
  pawcare_pets: z.array(z.object({ opt_in: isoTime, opt_out: isoTime.nullable() })),
  cover: Cover,
  /** The insurer's policy that the pet was added with. It covers nothing until its holder has confirmed it. */
  policy: z.object({ policy: z.string(), confirmed: z.boolean() }).nullable(),
  /** For each item what is due next and what was done last. */
  care: z.array(Care),
})
export type Pet = z.infer<typeof Pet>

const OLDEST_YEARS = 100

/** Whether a date of birth is possible: not in the future anywhere on earth, and within a tortoise's lifetime. */
export function couldBeBorn(dob: string, now: Date): boolean {
  const latest = addHours(now, 14).toISOString().slice(0, 10)
  const earliest = new Date(now)
  earliest.setUTCFullYear(earliest.getUTCFullYear() - OLDEST_YEARS)
  return dob <= latest && dob >= earliest.toISOString().slice(0, 10)
}

const MICROCHIP = /^(\d{15})?$/
/** An empty text counts too, for a pet without one. */
export const isMicrochip = (text: string) => MICROCHIP.test(text)

export const petMissing = sentenceOf('PET_DETAILS_MISSING')
const dob = emptyAsNull(isoDate)
const sex = emptyAsNull(
  z.preprocess((value: unknown) => (value === 0 || value === '0' ? 2 : Number(value)), z.literal([1, 2])),
)
const desexed = emptyAsNull(z.boolean())
const microchip = z.string().regex(MICROCHIP, { error: sentenceOf('WRONG_MICROCHIP') })
const petName = typedName(petMissing)
const petImage = z.string().max(200).nullish()

/** The breed of a dog or a cat. */
export const petBreed = emptyAsNull(id).default(null)

export const petFields = {
  name: petName,
  dob: dob.default(null),
  dob_approximate: z.boolean().default(false),
  sex: sex.default(null),
  desexed: desexed.default(null),
  microchip: microchip.default(''),
  pet_image: petImage,
}

export const listSpecies = call('GET', '/pet/species', {
  summary: 'The species a pet can be of',
  access: 'anyone',
  input: nothing,
  output: z.array(Species),
})

export const listBreeds = call('GET', '/pet/all/breeds', {
  summary: 'Every breed of dog and cat',
  access: 'anyone',
  input: nothing,
  output: z.array(Breed),
})

export const listPets = call('GET', '/pet', {
  summary: "The owner's pets, without those that died or moved to another home",
  access: ['owner'],
  input: nothing,
  output: z.array(Pet),
})

export const addPet = call('POST', '/pet', {
  summary: 'Add a pet, in a free place of the membership. The same key adds it once',
  access: ['owner'],
  idempotent: true,
  input: z.object({
    ...petFields,
    pet_species: speciesOf(petMissing),
    breed: petBreed,
    policy: optionalText(lengths.code).nullish(),
    ...confirmation,
    ...agreement,
  }),
  output: Pet,
})

export const updatePet = call('POST', '/pet/update', {
  summary:
    'Change a pet, except its species and breed; fields left out stay, and null or an empty text clears one',
  access: ['owner'],
  input: z.object({
    id,
    name: changed(petName),
    dob: dob.optional(),
    dob_approximate: z.boolean().optional(),
    sex: sex.optional(),
    desexed: desexed.optional(),
    microchip: emptyAsNull(microchip).optional(),
    pet_image: petImage,
    pawcare_out: z.boolean().optional(),
  }),
  output: Pet,
})

export const putPetAway = call('POST', '/pet/away', {
  summary:
    'Take a pet that died or moved to another home off the lists; its reminders stop, its record stays',
  access: ['owner'],
  input: z.object({ id, why: z.enum(['moved', 'died']) }),
  output: nothing,
})

export const listPetsAway = call('GET', '/pet/away', {
  summary: "The owner's pets that died or moved to another home, the last one first",
  access: ['owner'],
  input: nothing,
  output: z.array(z.object({ id: z.number(), name: z.string(), put_away_at: isoTime })),
})

export const takePetBack = call('POST', '/pet/back', {
  summary: 'Put a pet back on the lists, in its old place if nobody has taken it, otherwise in a free one',
  access: ['owner'],
  input: z.object({ id }),
  output: Pet,
})

export const tickCare = call('POST', '/pet/care', {
  summary: 'Tick an item of the care plan, untick it, or move it to another day',
  access: ['owner'],
  input: z.object({
    id,
    done_on: isoDate.nullish(),
    due_on: isoDate.optional(),
  }),
  output: Pet,
})

export const uploadPicture = call('POST', '/upload', {
  summary: 'Upload a picture, JPEG or PNG, up to 16 MB; it is re-encoded without location data',
  access: people,
  upload: { maxBytes: PICTURE_BYTES },
  input: z.object({ image: file }),
  output: z.object({ filename: z.string() }),
})
