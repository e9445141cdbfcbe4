import { addDays } from '#contract/time.ts'
import { petFacts, petWeights } from '../schema.ts'
import type { Db } from '../client.ts'
import { PEOPLE, type PersonName, type PetName } from './people.ts'

interface DemoRecord {
  pet: PetName
  owner: PersonName
  /** On a vet's scale, unless the owner weighed it at home. */
  weights: { kg: number; daysAgo: number; home?: true }[]
  facts: { kind: 'allergy' | 'medicine' | 'condition'; name: string; detail?: string; daysAgo: number }[]
}

const RECORDS: DemoRecord[] = [
  {
    pet: 'Biscuit',
    owner: 'owner',
    weights: [
      { kg: 29.4, daysAgo: 410 },
      { kg: 30.1, daysAgo: 300 },
      { kg: 31.2, daysAgo: 205, home: true },
      { kg: 31.6, daysAgo: 120 },
      { kg: 30.8, daysAgo: 61, home: true },
      { kg: 30.2, daysAgo: 19 },
    ],
    facts: [
      { kind: 'allergy', name: 'Chicken', detail: 'Itches within a day', daysAgo: 250 },
      { kind: 'condition', name: 'Itchy ears every summer', daysAgo: 205 },
    ],
  },
  {
    pet: 'Saffron',
    owner: 'aisha',
    weights: [
      { kg: 4.9, daysAgo: 260 },
      { kg: 4.7, daysAgo: 150 },
      { kg: 4.4, daysAgo: 40, home: true },
    ],
    facts: [{ kind: 'medicine', name: 'Thyroid tablet', detail: 'Half a tablet twice a day', daysAgo: 9 }],
  },
]

/** The pets' records since their owners joined: a vet weighed them, and the owners told us the rest. */
export async function fillRecords(db: Db, idOf: (kind: 'pet' | 'person', name: string) => number, now: Date) {
  const at = (daysAgo: number) => addDays(now, -daysAgo)
  const vet = idOf('person', 'vet')
  for (const { pet, owner, weights, facts } of RECORDS) {
    const [petId, ownerId] = [idOf('pet', pet), idOf('person', owner)]
    const { joinedDaysAgo } = PEOPLE.find(({ name }) => name === owner)!
    await db.insert(petWeights).values(
      weights.map(({ kg, daysAgo, home }) => ({
        petId,
        grams: Math.round(kg * 1000),
        on: at(daysAgo).toISOString().slice(0, 10),
        scale: !home,
        addedBy: home ? ownerId : vet,
        at: at(Math.min(daysAgo, joinedDaysAgo)),
      })),
    )
    await db
      .insert(petFacts)
      .values(facts.map(({ daysAgo, ...fact }) => ({ ...fact, petId, addedBy: ownerId, at: at(daysAgo) })))
  }
}
