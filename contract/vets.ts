import * as z from 'zod'
import { User } from './accounts.ts'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { changed, email, id, isoTime, optionalText, sentTime, text, typedName } from './fields.ts'

/* Vets: their accounts, and the cards that owners see. */

export const LANGUAGES = [
  'English',
  'Afrikaans',
  'isiZulu',
  'isiXhosa',
  'Sesotho',
  'Setswana',
  'Sepedi',
  'Xitsonga',
  'siSwati',
  'Tshivenda',
  'isiNdebele',
] as const
export const VET_ABOUT_LENGTH = 160
export const REGISTRATION_LENGTH = 40

/** A person whom an admin looked up, with what owners see of a vet. */
export const Vet = User.extend({
  /** The number at the regulator. Without one a person can't be a vet. */
  registration: z.string().nullable(),
  languages: z.array(z.enum(LANGUAGES)),
  about: z.string(),
  picture: z.string().nullable(),
  /** When its card was last saved; null before that. */
  saved_at: isoTime.nullable(),
  on_duty_since: isoTime.nullable(),
  /** Since when signing in needs a second factor. */
  factor_since: isoTime.nullable(),
  open_consults: z.number(),
  /** Clinics' cases that they advised on by phone, and that neither a contact nor a vet has yet. */
  open_calls: z.number(),
  /** Consults taken since Monday, in the vet's region. */
  week_consults: z.number(),
  /** The mean of the last 90 days and how many owners rated; the mean is null when nobody did. */
  rating: z.object({ mean: z.number().nullable(), of: z.number() }),
})
export type Vet = z.infer<typeof Vet>

export const listVets = call('GET', '/user/vets', {
  summary: 'Every vet, by last name',
  access: ['admin'],
  input: z.object({}),
  output: z.array(Vet),
})

export const inviteVet = call('POST', '/user/vets', {
  summary: 'Make an account for a new vet, who sets a password by a mailed link',
  access: ['admin'],
  again: true,
  input: z.object({
    email,
    firstName: typedName(sentenceOf('FIRST_NAME_MISSING')),
    lastName: typedName(sentenceOf('LAST_NAME_MISSING')),
    registration: text(REGISTRATION_LENGTH, sentenceOf('REGISTRATION_MISSING')),
  }),
  output: Vet,
})

/** What visitors see of a vet, from the card that an admin saved. */
export const VetCard = z.object({
  name: z.string(),
  registration: z.string(),
  languages: z.array(z.enum(LANGUAGES)),
  about: z.string(),
  picture: z.string().nullable(),
  demo: z.boolean(),
})
export type VetCard = z.infer<typeof VetCard>

/** Enough for visitors to get to know them; more would only be a list to scroll. */
export const MOST_CARDS = 6

export const listVetCards = call('GET', '/vets', {
  summary: "The cards of the region's vets, as public pages show them",
  access: 'anyone',
  input: z.object({}),
  output: z.array(VetCard),
})

export const findPerson = call('GET', '/user/email/:email', {
  summary: 'The account with an email',
  access: ['admin'],
  input: z.object({ email }),
  output: Vet,
})

export const setUserType = call('PUT', '/user/type/:id', {
  summary: 'Make an owner a vet, or a vet an owner again; it ends their sessions',
  access: ['admin'],
  again: true,
  input: z.object({
    id,
    type: z
      .union([z.literal([1, 2]), z.literal(['1', '2']).transform(Number)], {
        error: sentenceOf('USER_TYPE_WRONG'),
      })
      .transform((type) => type as 1 | 2),
  }),
  output: Vet,
})

export const saveVet = call('POST', '/user/vet/:id', {
  summary: "Save a vet's registration number and what owners see of them; fields left out stay",
  access: ['admin'],
  /** Only a changed registration number needs the password again. */
  again: 'sometimes',
  input: z.object({
    id,
    registration: changed(text(REGISTRATION_LENGTH, sentenceOf('REGISTRATION_MISSING'))),
    languages: z.array(z.enum(LANGUAGES)).max(LANGUAGES.length).optional(),
    about: optionalText(VET_ABOUT_LENGTH).optional(),
    /** The name that the upload returned; null removes the picture. */
    picture: optionalText(64).nullish(),
    /** The card's last change that the sender has seen; 409 if it was saved since. Without it, it's saved in any case. */
    saved_at: sentTime.nullish(),
  }),
  output: Vet,
})
