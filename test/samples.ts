import type { User } from '#contract/accounts.ts'
import type { Input } from '#contract/call.ts'
import type { Attachment } from '#contract/chat.ts'
import type { Claim } from '#contract/claims.ts'
import type { Note } from '#contract/clinical.ts'
import type { Clinic, ClinicContact } from '#contract/clinics.ts'
import type { Consultation, Room } from '#contract/consultations.ts'
import type { HumanChallenge } from '#contract/human.ts'
import type { Subscription } from '#contract/memberships.ts'
import type { subscribePet } from '#contract/payments.ts'
import type { addPet, Pet } from '#contract/pets.ts'
import { MINUTE } from '#contract/time.ts'

/* Complete samples in the contract's shape, so a test names only the fields that matter to it. */

/** Earlier today, whenever the tests run. */
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString()

/** A session's token, as far as a page reads it. */
export const sampleToken = (seconds = 600) =>
  `head.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + seconds }))}.signature`

/** An owner without a membership. */
export const sampleUser: User = {
  id: 7,
  type: 1,
  firstName: 'Thandi',
  lastName: 'Mokoena',
  email: 'thandi@example.com',
  mobile: '082 123 4567',
  postcode: '',
  address: '',
  user_clinic: '',
  customer_id: 'cus_7',
  email_confirmed: true,
  can_consult: true,
  region: 'za',
  notifications: { care: true, check_in: true, news: false },
  has_pets_away: false,
  subscriptions: [],
  subscription: null,
}

/** A membership for a year, paid until the end of its period. */
export const sampleMembership = (until: string, change: Partial<Subscription> = {}): Subscription => ({
  id: 1,
  user_id: 1,
  pet_id: 1,
  pets: [],
  leaving: [],
  plan: 'annual',
  stripe_subscription: 'sub_1',
  stripeData: { id: 'sub_1', status: 'active', current_period_end: until },
  recurring_start: minutesAgo(265 * 24 * 60),
  end: null,
  ended_at: null,
  deletedAt: null,
  source: 'vetchat',
  subs_id: null,
  grace_end: null,
  disputed: false,
  price: 2000_00,
  currency: 'zar',
  ...change,
})

/** A dog without any details. */
export const samplePet = (id: number, name: string, change: Partial<Pet> = {}): Pet => ({
  id,
  name,
  species_id: 1,
  breed_id: null,
  breed: null,
  sex: null,
  dob: null,
  dob_approximate: false,
  desexed: null,
  microchip: '',
  pet_image: null,
  pawcare_pets: [],
  cover: { state: 'covered', from: null, why: null },
  policy: null,
  care: [],
  ...change,
})

/** A text consult about a dog with the same id, waiting for a vet. */
export const sampleConsultation = (
  id: number,
  pet: string,
  change: Partial<Consultation> = {},
): Consultation => ({
  id,
  type: 1,
  start: minutesAgo(120),
  vet_start: null,
  first_taken_at: null,
  snoozed_until: null,
  end: null,
  vet_name: null,
  handed_over_by: null,
  pet: { id, name: pet, species_id: 1 },
  user: { firstName: 'Thabo', lastName: 'Sample', email: 'thabo@example.com' },
  pet_issue: 'He is flat',
  query: 'He is flat',
  outcome: '',
  summary: null,
  urgency: { level: 'routine', why: '' },
  ended_by_another: false,
  portalDetail: { clinic_notified_at: null, clinic_accepted_at: null },
  ...change,
})

/** The room of a consult that a vet has taken. */
export const sampleRoom = (id: number, pet: string, change: Partial<Room> = {}): Room => ({
  ...sampleConsultation(id, pet, { vet_start: minutesAgo(116), vet_name: 'Dr Naledi Demo' }),
  people: [],
  vet_id: 3,
  vet: { is: 'here', since: null },
  owner_seen_at: null,
  waiting: null,
  flag: null,
  level: null,
  had_vet: true,
  answered: false,
  cancelled: false,
  guest: false,
  mails_when_taken: false,
  advice: null,
  rating: null,
  follow_up_until: null,
  follow_up_vet_id: null,
  asked_again: null,
  check_in: { asked: false, answer: null, at: null },
  goes_on_from: null,
  goes_on_in: null,
  clinic: null,
  paid: null,
  ...change,
})

/** What the owner of a room paid for this one consult. */
export const samplePaid = (change: Partial<NonNullable<Room['paid']>> = {}): NonNullable<Room['paid']> => ({
  amount: 450_00,
  currency: 'zar',
  refunded: 0,
  on_its_way: 0,
  why: null,
  ...change,
})

/** The owner and the vet of a conversation. */
export const [OWNER, VET] = [1, 2]
export const PEOPLE = [
  { id: OWNER, side: 'owner' as const, name: 'Thandi Mokoena', registration: null },
  { id: VET, side: 'vet' as const, name: 'Dr Anika Naidoo', registration: 'SAVC D00/0001' },
]

/** A photo that was sent in a conversation. */
export const samplePicture = (change: Partial<Attachment> = {}): Attachment => ({
  id: 1,
  kind: 'picture',
  filename: 'gums.jpg',
  bytes: 9,
  width: 4,
  height: 3,
  url: '/logo-mark.svg',
  ...change,
})

/** A claim for a bill of R8 450 that we have just received. */
export const sampleClaim = (change: Partial<Claim> = {}): Claim => ({
  id: 5,
  pet: { id: 1, name: 'Biscuit' },
  incident: 'tick',
  happened_on: '2026-11-15',
  amount: 8450_00,
  currency: 'zar',
  would_pay: 3450_00,
  state: 'received',
  paid: null,
  decision: '',
  at: '2026-11-21T10:00:00Z',
  ...change,
})

export const sampleContact = (vetName = '', contact = ''): ClinicContact => ({
  vetName,
  contact,
  na: false,
  note: '',
})

/** A clinic that has nobody to call. */
export const sampleClinic: Clinic = {
  id: 1,
  clinic: 'Demo Vet Clinic',
  address: '1 Main Road, Parow',
  state: '',
  telephone: '',
  email: 'parow@clinic.example',
  comments: '',
  username: 'parowclinic',
  meta: { customerInvoice: true },
  contact_mon: sampleContact(),
  contact_tue: sampleContact(),
  contact_wed: sampleContact(),
  contact_thu: sampleContact(),
  contact_fri: sampleContact(),
  contact_sat: sampleContact(),
  contact_sun: sampleContact(),
  holidays: [],
  day_begins: 0,
  escalation_minutes: 5,
  notify: 'straight away',
  region: 'za',
  has_password: true,
  version: 3,
  saved_at: '2026-11-21T07:00:00.000Z',
  saved_by: 'Sam Demo',
  today: { ...sampleContact(), date: '2026-11-23', day: 'mon', holiday: false },
  people: [],
}

/** A pet without a paid place or cover. */
export const sampleRabbit = (name = 'Pixel') =>
  ({
    name,
    species_id: 3,
    breed_id: null,
    sex: null,
    dob: null,
    desexed: null,
  }) satisfies Input<typeof subscribePet>['pet']

/** The same as an owner adds it. */
export const addedRabbit = {
  name: 'Pixel',
  pet_species: 3,
  breed: null,
  dob: null,
  sex: null,
  desexed: null,
} satisfies Input<typeof addPet>

/** A dog that is added by its policy. */
export const sampleBella = (policy: string, breed: number) => ({
  name: 'Bella',
  pet_species: 1,
  breed,
  dob: '2021-03-04',
  sex: 2 as const,
  desexed: true,
  agreed: true,
  policy,
})

/** A challenge that this counter solves. */
export async function challengeOf(counter: number): Promise<HumanChallenge> {
  const [salt, nonce] = ['5a'.repeat(16), 'c3'.repeat(16)]
  const message = new Uint8Array(36).fill(0x5a, 0, 16).fill(0xc3, 16, 32)
  new DataView(message.buffer).setUint32(32, counter)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', message))
  const keyPrefix = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const data = { action: 'pay' as const }
  return {
    parameters: {
      algorithm: 'SHA-256',
      cost: 1,
      data,
      expiresAt: 4e9,
      keyLength: 32,
      keyPrefix,
      nonce,
      salt,
    },
    signature: 'signed',
  }
}

/** A note in which nobody has written yet. */
export const blankNote: Note = {
  history: '',
  findings: '',
  assessment: '',
  summary: '',
  plan: '',
  watch_for: '',
  go_if: '',
  outcome: null,
  version: 0,
  saved_at: null,
  signed_at: null,
  signed_by: null,
  additions: [],
}
