import * as z from 'zod/mini'
import { call, people } from './call.ts'
import { CARE_ITEMS } from './care.ts'
import { words } from './errors.ts'
import { file, id, idOf, isoDate, isoTime, nothing, optionalText, text } from './fields.ts'

const DOG = 1
const CAT = 2
/** Those whose breed is asked for, and whom PawCare covers. */
export const CATS_AND_DOGS: readonly number[] = [DOG, CAT]
export const PETS_PER_MEMBERSHIP = 5
export const PICTURE_BYTES = 16_777_216
/** The widths a stored picture comes in: for a list and for a page. */
export const PICTURE_WIDTHS = [160, 800] as const

const Species = z.object({ id: z.number(), name: z.string() })
const Breed = z.object({ id: z.number(), species_id: z.number(), name: z.string() })

/** Where a pet stands with PawCare. */
const Cover = z.object({
  state: z.enum(['covered', 'waiting', 'opted_out', 'not_eligible']),
  /** Waiting: when cover begins. */
  from: z.nullable(isoTime),
  why: z.nullable(z.enum(['species', 'age', 'membership'])),
})

/** One thing to look after, with the day it is due or was done. Only members' pets have them. */
const Care = z.object({
  id: z.number(),
  item: z.enum(CARE_ITEMS),
  due_on: isoDate,
  done_on: z.nullable(isoDate),
})
export type Care = z.infer<typeof Care>

export const Pet = z.object({
  id: z.number(),
  name: z.string(),
  species_id: z.number(),
  breed_id: z.nullable(z.number()),
  breed: z.nullable(z.object({ id: z.number(), name: z.string() })),
  sex: z.nullable(z.union([z.literal(1), z.literal(2)])),
  dob: z.nullable(isoDate),
  desexed: z.nullable(z.boolean()),
  microchip: z.string(),
  pet_image: z.nullable(z.string()),
  pawcare_pets: z.array(z.object({ opt_in: isoTime, opt_out: z.nullable(isoTime) })),
  cover: Cover,
  /** The insurer's policy it was added with; it covers nothing until the holder confirmed it. */
  policy: z.nullable(z.object({ policy: z.string(), confirmed: z.boolean() })),
  /** What comes next of each item and what was done last. */
  care: z.array(Care),
})
export type Pet = z.infer<typeof Pet>

export const petMissing = words('PET_DETAILS_MISSING')
/** Forms send an empty field as an empty string. */
const orNothing = <T extends z.ZodMiniType>(schema: T) =>
  z.pipe(
    z.transform((value: unknown) => (value === '' || value === undefined ? null : value)),
    z.nullable(schema) as z.ZodMiniType<any, any>,
  ) as unknown as z.ZodMiniType<z.output<T> | null, z.input<T> | '' | null | undefined>

/** The breed of a dog or a cat. */
export const petBreed = orNothing(id)

export const petFields = {
  name: text(80, petMissing),
  dob: orNothing(isoDate),
  sex: orNothing(
    z.pipe(
      z.transform((value: unknown) => (value === 0 || value === '0' ? 2 : Number(value))),
      z.union([z.literal(1), z.literal(2)]),
    ),
  ),
  desexed: orNothing(z.boolean()),
  microchip: z._default(z.string().check(z.regex(/^(\d{15})?$/, { error: words('WRONG_MICROCHIP') })), ''),
  pet_image: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
}

export const listSpecies = call({
  method: 'GET',
  path: '/pet/species',
  summary: 'The species a pet can be of',
  access: 'anyone',
  input: nothing,
  output: z.array(Species),
})

export const listBreeds = call({
  method: 'GET',
  path: '/pet/all/breeds',
  summary: 'Every breed of dog and cat',
  access: 'anyone',
  input: nothing,
  output: z.array(Breed),
})

export const listPets = call({
  method: 'GET',
  path: '/pet',
  summary: "The owner's pets that were not put away",
  access: ['owner'],
  input: nothing,
  output: z.array(Pet),
})

export const addPet = call({
  method: 'POST',
  path: '/pet',
  summary: 'Add a pet; it takes a free place of the membership. The same key adds one',
  access: ['owner'],
  idempotent: true,
  input: z.object({
    ...petFields,
    pet_species: idOf(petMissing),
    breed: petBreed,
    policy: z.optional(z.nullable(optionalText(60))),
    agreed: z.optional(z.boolean()),
    terms: z.optional(z.string().check(z.maxLength(40))),
  }),
  output: Pet,
})

export const updatePet = call({
  method: 'POST',
  path: '/pet/update',
  summary: 'Change a pet; its species and breed stay',
  access: ['owner'],
  input: z.object({ ...petFields, id, pawcare_out: z.optional(z.boolean()) }),
  output: Pet,
})

export const putPetAway = call({
  method: 'POST',
  path: '/pet/away',
  summary: 'A pet moved on or died: it leaves the lists, its reminders stop, its record stays',
  access: ['owner'],
  input: z.object({ id, why: z.enum(['moved', 'died']) }),
  output: nothing,
})

export const tickCare = call({
  method: 'POST',
  path: '/pet/care',
  summary: 'An item of a care plan was done, or was not after all, or is due on another day',
  access: ['owner'],
  input: z.object({
    id,
    done_on: z.optional(z.nullable(isoDate)),
    due_on: z.optional(isoDate),
  }),
  output: Pet,
})

export const uploadPicture = call({
  method: 'POST',
  path: '/upload',
  summary: 'Send a picture, jpeg or png, up to 16 MB; it is made anew without location data',
  access: people,
  upload: { maxBytes: PICTURE_BYTES },
  input: z.object({ image: file }),
  output: z.object({ filename: z.string() }),
})
