import { sentenceOf } from '#contract/errors.ts'
import type { Decision, PhoneDraft } from '#contract/phone.ts'
import type { Level } from '#contract/urgency.ts'
import type { Rules } from '../ui/form-state.ts'

export type Typed = typeof NOTHING_TYPED
export const NOTHING_TYPED = {
  clinic: '',
  caller: '',
  phone: '',
  pet: '',
  species: '',
  sex: '',
  age: '',
  query: '',
  urgency: '',
  advice: '',
  decision: '',
  vet: '',
}

const numberOf = (text: string) => (text === '' ? null : Number(text))

export const draftFrom = ({ clinic, species, sex, urgency, decision, vet, ...texts }: Typed) => ({
  ...texts,
  clinic: numberOf(clinic),
  species: numberOf(species),
  sex: numberOf(sex) as 1 | 2 | null,
  urgency: (urgency || null) as Level | null,
  decision: (decision || null) as Decision | null,
  vet: numberOf(vet),
})

export const typedFrom = (draft: PhoneDraft): Typed =>
  Object.fromEntries(
    Object.keys(NOTHING_TYPED).map((name) => [name, String(draft[name as keyof PhoneDraft] ?? '')]),
  ) as unknown as Typed

export const phoneRules =
  (asksVet: boolean): Rules<Typed> =>
  ({ clinic, caller, pet, query, urgency, decision, vet }) => ({
    vet: asksVet && vet === '' && sentenceOf('PHONE_VET_MISSING'),
    clinic: clinic === '' && sentenceOf('PHONE_CLINIC_MISSING'),
    caller: caller.trim() === '' && sentenceOf('PHONE_CALLER_MISSING'),
    pet: pet.trim() === '' && sentenceOf('PET_NAME_MISSING'),
    query: query.trim() === '' && sentenceOf('PHONE_PROBLEM_MISSING'),
    urgency: urgency === '' && sentenceOf('PHONE_URGENCY_MISSING'),
    decision: decision === '' && sentenceOf('PHONE_DECISION_MISSING'),
  })
