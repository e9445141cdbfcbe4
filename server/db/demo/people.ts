import type { Region } from '#contract/regions.ts'

/** The demo's people, pets and memberships. A person's name here is the part of their email before the @. */
export const emailOf = (name: string) => `${name}@demo.vetchat.example`
export const DEMO_PASSWORD = 'Demo1234'

export interface DemoPerson {
  name: string
  type: 1 | 2 | 3
  firstName: string
  lastName: string
  mobile: string
  postcode?: string
  address?: string
  /** South Africa if there is none. */
  region?: Region
  registration?: string
  onDutyForMinutes?: number
  joinedDaysAgo: number
}

/** What owners see of the demo's vets. */
export const VET_CARDS = [
  {
    vet: 'vet',
    languages: ['English', 'Afrikaans', 'isiZulu'],
    about: 'Small animals in Durban since 2011. Cats that stop eating are my special interest.',
  },
  {
    vet: 'vet2',
    languages: ['Afrikaans', 'English', 'Sesotho'],
    about:
      'Emergencies at night for eight years, dogs first of all. I like to see the pet move before I decide.',
  },
] as const

/** These vets fill the roster. */
const MORE_VETS = [
  { name: 'karabo', firstName: 'Karabo', lastName: 'Mabena' },
  { name: 'busi', firstName: 'Busi', lastName: 'Radebe' },
  { name: 'naledi', firstName: 'Naledi', lastName: 'Pillay' },
  { name: 'mandla', firstName: 'Mandla', lastName: 'Zwane' },
  { name: 'lize', firstName: 'Lizé', lastName: 'Coetzee' },
  { name: 'ayesha', firstName: 'Ayesha', lastName: 'Khan' },
] as const

export const PEOPLE = [
  {
    name: 'owner',
    type: 1,
    firstName: 'Thandi',
    lastName: 'Mokoena',
    mobile: '082 555 0101',
    postcode: '8005',
    address: '14 Vlei Road, Green Point, Cape Town',
    joinedDaysAgo: 254,
  },
  {
    name: 'lapsed',
    type: 1,
    firstName: 'Riaan',
    lastName: 'Botha',
    mobile: '083 555 0102',
    postcode: '0081',
    address: '27 Selati Street, Alphen Park, Pretoria',
    joinedDaysAgo: 410,
  },
  {
    name: 'new',
    type: 1,
    firstName: 'Lerato',
    lastName: 'Khumalo',
    mobile: '084 555 0103',
    postcode: '2196',
    address: '',
    joinedDaysAgo: 1,
  },
  {
    name: 'petstock',
    type: 1,
    firstName: 'Megan',
    lastName: 'Fourie',
    mobile: '072 555 0104',
    postcode: '6001',
    address: '5 Park Drive, Central, Gqeberha',
    joinedDaysAgo: 96,
  },
  {
    name: 'pieter',
    type: 1,
    firstName: 'Pieter',
    lastName: 'van Wyk',
    mobile: '082 555 0105',
    postcode: '7600',
    address: '8 Dorp Street, Stellenbosch',
    joinedDaysAgo: 131,
  },
  {
    name: 'aisha',
    type: 1,
    firstName: 'Aisha',
    lastName: 'Patel',
    mobile: '083 555 0106',
    postcode: '4091',
    address: '31 Silverton Road, Musgrave, Durban',
    joinedDaysAgo: 10,
  },
  {
    name: 'sipho',
    type: 1,
    firstName: 'Sipho',
    lastName: 'Dlamini',
    mobile: '071 555 0107',
    postcode: '2193',
    address: '90 Greenway, Greenside, Johannesburg',
    joinedDaysAgo: 203,
  },
  {
    name: 'zanele',
    type: 1,
    firstName: 'Zanele',
    lastName: 'Nkosi',
    mobile: '076 555 0108',
    postcode: '9301',
    address: '12 Kellner Street, Westdene, Bloemfontein',
    joinedDaysAgo: 18,
  },
  {
    name: 'vet',
    type: 2,
    firstName: 'Anika',
    lastName: 'Naidoo',
    mobile: '082 555 0111',
    registration: 'DEMO-0001',
    onDutyForMinutes: 130,
    joinedDaysAgo: 500,
  },
  {
    name: 'vet2',
    type: 2,
    firstName: 'Johan',
    lastName: 'Steyn',
    mobile: '082 555 0112',
    registration: 'DEMO-0002',
    joinedDaysAgo: 480,
  },
  ...MORE_VETS.map((vet, n) => ({
    ...vet,
    type: 2 as const,
    mobile: `082 555 01${13 + n}`,
    registration: `DEMO-00${10 + n}`,
    joinedDaysAgo: 300 + 17 * n,
  })),
  {
    name: 'admin',
    type: 3,
    firstName: 'Naledi',
    lastName: 'Moloi',
    mobile: '082 555 0120',
    registration: 'DEMO-0003',
    joinedDaysAgo: 520,
  },
  {
    name: 'vet-au',
    type: 2,
    firstName: 'Grace',
    lastName: 'Nguyen',
    mobile: '0412 555 011',
    region: 'au',
    registration: 'DEMO-0016',
    onDutyForMinutes: 95,
    joinedDaysAgo: 210,
  },
] as const satisfies readonly DemoPerson[]

export type PersonName = (typeof PEOPLE)[number]['name']

/** Sex: 1 male, 2 female. Names are unique, so that a consultation can refer to its pet by name. */
export const PETS = [
  {
    name: 'Biscuit',
    owner: 'owner',
    speciesId: 1,
    breed: 'Labrador Retriever',
    sex: 1,
    months: 43,
    desexed: true,
    microchip: '900000000000101',
  },
  {
    name: 'Mielie',
    owner: 'owner',
    speciesId: 2,
    breed: 'Domestic Shorthair',
    sex: 2,
    months: 76,
    desexed: true,
    microchip: '900000000000102',
  },
  {
    name: 'Nala',
    owner: 'owner',
    speciesId: 1,
    breed: 'Africanis',
    sex: 2,
    months: 17,
    desexed: false,
    microchip: '',
  },
  {
    name: 'Bruno',
    owner: 'lapsed',
    speciesId: 1,
    breed: 'Boerboel',
    sex: 1,
    months: 88,
    desexed: true,
    microchip: '900000000000103',
  },
  {
    name: 'Poppy',
    owner: 'petstock',
    speciesId: 1,
    breed: 'Dachshund',
    sex: 2,
    months: 9,
    desexed: false,
    microchip: '900000000000104',
  },
  {
    name: 'Rex',
    owner: 'pieter',
    speciesId: 1,
    breed: 'Rhodesian Ridgeback',
    sex: 1,
    months: 62,
    desexed: true,
    microchip: '900000000000105',
  },
  {
    name: 'Saffron',
    owner: 'aisha',
    speciesId: 2,
    breed: 'Bengal',
    sex: 2,
    months: 30,
    desexed: true,
    microchip: '',
  },
  {
    name: 'Clover',
    owner: 'sipho',
    speciesId: 3,
    breed: null,
    sex: 2,
    months: 14,
    desexed: null,
    microchip: '',
  },
  {
    name: 'Max',
    owner: 'sipho',
    speciesId: 1,
    breed: 'Border Collie',
    sex: 1,
    months: 51,
    desexed: true,
    microchip: '900000000000106',
  },
  {
    name: 'Tigger',
    owner: 'zanele',
    speciesId: 2,
    breed: 'Mixed breed or crossbreed',
    sex: 1,
    months: 5,
    desexed: false,
    microchip: '',
  },
] as const satisfies readonly {
  name: string
  owner: PersonName
  speciesId: number
  breed: string | null
  sex: 1 | 2
  months: number
  desexed: boolean | null
  microchip: string
}[]

export type PetName = (typeof PETS)[number]['name']

/** Active memberships are in their current period; an ended one has its length in days. */
export const MEMBERSHIPS = [
  {
    owner: 'owner',
    plan: 'annual',
    source: 'vetchat',
    startedDaysAgo: 252,
    pets: ['Biscuit', 'Mielie', 'Nala'],
  },
  {
    owner: 'lapsed',
    plan: 'annual',
    source: 'vetchat',
    startedDaysAgo: 410,
    endedDaysAgo: 45,
    pets: ['Bruno'],
  },
  { owner: 'petstock', plan: 'annual', source: 'petstock', startedDaysAgo: 96, pets: ['Poppy'] },
  { owner: 'pieter', plan: 'annual', source: 'vetchat', startedDaysAgo: 131, pets: ['Rex'] },
  { owner: 'aisha', plan: 'monthly', source: 'vetchat', startedDaysAgo: 10, pets: ['Saffron'] },
  { owner: 'sipho', plan: 'annual', source: 'vetchat', startedDaysAgo: 203, pets: ['Max', 'Clover'] },
  { owner: 'zanele', plan: 'monthly', source: 'vetchat', startedDaysAgo: 18, pets: ['Tigger'] },
] as const satisfies readonly {
  owner: PersonName
  plan: 'annual' | 'monthly'
  source: 'vetchat' | 'petstock'
  startedDaysAgo: number
  endedDaysAgo?: number
  pets: readonly PetName[]
}[]

export const CARDS = [
  { owner: 'owner', brand: 'visa', last4: '4242' },
  { owner: 'lapsed', brand: 'mastercard', last4: '4444' },
  { owner: 'pieter', brand: 'visa', last4: '4242' },
  { owner: 'aisha', brand: 'mastercard', last4: '4444' },
  { owner: 'sipho', brand: 'visa', last4: '4242' },
  { owner: 'zanele', brand: 'visa', last4: '4242' },
] as const satisfies readonly { owner: PersonName; brand: string; last4: string }[]

/** Policies of the partner insurer that nobody has used yet. The last holder has no account. */
export const POLICIES = [
  { policy: 'POL-1001', holder: 'owner', petName: 'Bella', speciesId: 1 },
  { policy: 'POL-1002', holder: 'new', petName: 'Simba', speciesId: 2 },
  { policy: 'POL-1003', holder: 'new', petName: 'Duke', speciesId: 1 },
  { policy: 'POL-1004', holder: 'lapsed', petName: 'Misty', speciesId: 2 },
  { policy: 'POL-1005', holder: 'partner', petName: 'Rocky', speciesId: 1 },
]
