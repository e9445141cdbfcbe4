import { CARE_ITEMS, type CareItem, careRuleOf } from '#contract/care.ts'
import type { Pet } from '#contract/pets.ts'
import { briefDay, isoDay } from '../lib/dates.ts'
import { now as serverNow } from '../lib/session.ts'
import { say, sentence, type Sentence } from '../ui/say.ts'

/** Today in the visitor's zone. */
export const today = () => isoDay(serverNow())

const NAMES: Record<CareItem, Sentence> = {
  vaccination: sentence('Vaccination'),
  parasites: sentence('Worms, ticks and fleas'),
  dental: sentence('Teeth and gums'),
  weight: sentence('Weighing'),
  'check-up': sentence('Check-up'),
}

export type PlannedItem = ReturnType<typeof planOf>[number]

/** A pet's plan in the table's order: for each item, what's next and what was done last. */
export function planOf(pet: Pet, now = today()) {
  return CARE_ITEMS.flatMap((item) => {
    const entries = pet.care.filter((one) => one.item === item)
    if (entries.length === 0) return []
    const next = entries
      .filter(({ done_on }) => done_on === null)
      .toSorted((a, b) => a.due_on.localeCompare(b.due_on))[0]
    const last = entries
      .filter(({ done_on }) => done_on !== null)
      .toSorted((a, b) => b.done_on!.localeCompare(a.done_on!))[0]
    const rule = careRuleOf(item, { speciesId: pet.species_id, dob: pet.dob }, next?.due_on ?? now)
    const says = say(rule?.says ?? NAMES[item])
    // "Booster, once a year"
    const cut = says.lastIndexOf(', ')
    const [name, often] = cut > 0 ? [says.slice(0, cut), says.slice(cut + 2)] : [says, '']
    return [{ item, name, often, next, last, overdue: next !== undefined && next.due_on < now }]
  })
}

/** What a pet needs first, in one line. */
export function nextCare(pet: Pet, now = today()): { words: string; overdue: boolean } | undefined {
  const first = planOf(pet, now)
    .filter(({ next }) => next)
    .toSorted((a, b) => a.next!.due_on.localeCompare(b.next!.due_on))[0]
  if (!first) return undefined
  const { name, overdue, next } = first
  const put = { care: name, day: briefDay(next!.due_on) }
  return { words: overdue ? say('{care} was due {day}', put) : say('{care} due {day}', put), overdue }
}
