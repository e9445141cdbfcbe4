/** The demo's people, pets and memberships. A person's name here is the part of their email before the @. */
export const emailOf = (name: string) => `${name}@demo.vetchat.example`
export const DEMO_PASSWORD = 'Demo1234'

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

const OWNERS = [
  ['owner', 'Thandi', 'Mokoena', '082 555 0101', '8005', '14 Vlei Road, Green Point, Cape Town', 254],
  ['lapsed', 'Riaan', 'Botha', '083 555 0102', '0081', '27 Selati Street, Alphen Park, Pretoria', 410],
  ['new', 'Lerato', 'Khumalo', '084 555 0103', '2196', '', 1],
  ['petstock', 'Megan', 'Fourie', '072 555 0104', '6001', '5 Park Drive, Central, Gqeberha', 96],
  ['pieter', 'Pieter', 'van Wyk', '082 555 0105', '7600', '8 Dorp Street, Stellenbosch', 131],
  ['aisha', 'Aisha', 'Patel', '083 555 0106', '4091', '31 Silverton Road, Musgrave, Durban', 10],
  ['sipho', 'Sipho', 'Dlamini', '071 555 0107', '2193', '90 Greenway, Greenside, Johannesburg', 203],
  ['zanele', 'Zanele', 'Nkosi', '076 555 0108', '9301', '12 Kellner Street, Westdene, Bloemfontein', 18],
] as const

/** The vets whom the README doesn't name fill the roster. */
const STAFF = [
  ['vet', 2, 'Anika', 'Naidoo', '082 555 0111', 'DEMO-0001', 'za', 500],
  ['vet2', 2, 'Johan', 'Steyn', '082 555 0112', 'DEMO-0002', 'za', 480],
  ['karabo', 2, 'Karabo', 'Mabena', '082 555 0113', 'DEMO-0010', 'za', 300],
  ['busi', 2, 'Busi', 'Radebe', '082 555 0114', 'DEMO-0011', 'za', 317],
  ['naledi', 2, 'Naledi', 'Pillay', '082 555 0115', 'DEMO-0012', 'za', 334],
  ['mandla', 2, 'Mandla', 'Zwane', '082 555 0116', 'DEMO-0013', 'za', 351],
  ['lize', 2, 'Lizé', 'Coetzee', '082 555 0117', 'DEMO-0014', 'za', 368],
  ['ayesha', 2, 'Ayesha', 'Khan', '082 555 0118', 'DEMO-0015', 'za', 385],
  ['admin', 3, 'Naledi', 'Moloi', '082 555 0120', 'DEMO-0003', 'za', 520],
  ['vet-au', 2, 'Grace', 'Nguyen', '0412 555 011', 'DEMO-0016', 'au', 210],
] as const

export const PEOPLE = [
  ...OWNERS.map(([name, firstName, lastName, mobile, postcode, address, joinedDaysAgo]) => ({
    name,
    type: 1 as const,
    region: 'za' as const,
    firstName,
    lastName,
    mobile,
    postcode,
    address,
    joinedDaysAgo,
  })),
  ...STAFF.map(([name, type, firstName, lastName, mobile, registration, region, joinedDaysAgo]) => ({
    name,
    type,
    region,
    firstName,
    lastName,
    mobile,
    registration,
    joinedDaysAgo,
  })),
]

export type PersonName = (typeof PEOPLE)[number]['name']

/** For how many minutes they have been on duty. */
export const ON_DUTY: Partial<Record<PersonName, number>> = { vet: 130, 'vet-au': 95 }

/** Names are unique, so that a consultation can refer to its pet by name. */
const PET_ROWS = [
  ['Biscuit', 'owner', 1, 'Labrador Retriever', 'male', 43, true, '900000000000101'],
  ['Mielie', 'owner', 2, 'Domestic Shorthair', 'female', 76, true, '900000000000102'],
  ['Nala', 'owner', 1, 'Africanis', 'female', 17, false, ''],
  ['Bruno', 'lapsed', 1, 'Boerboel', 'male', 88, true, '900000000000103'],
  ['Poppy', 'petstock', 1, 'Dachshund', 'female', 9, false, '900000000000104'],
  ['Rex', 'pieter', 1, 'Rhodesian Ridgeback', 'male', 62, true, '900000000000105'],
  ['Saffron', 'aisha', 2, 'Bengal', 'female', 30, true, ''],
  ['Clover', 'sipho', 3, null, 'female', 14, null, ''],
  ['Max', 'sipho', 1, 'Border Collie', 'male', 51, true, '900000000000106'],
  ['Tigger', 'zanele', 2, 'Mixed breed or crossbreed', 'male', 5, false, ''],
] as const

export const PETS = PET_ROWS.map(([name, owner, speciesId, breed, sex, months, desexed, microchip]) => ({
  name,
  owner,
  speciesId,
  breed,
  sex: sex === 'male' ? (1 as const) : (2 as const),
  months,
  desexed,
  microchip,
}))

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
