import { useQuery } from '@tanstack/react-query'
import type { Output } from '#contract/call.ts'
import * as lengths from '#contract/lengths.ts'
import type { listSpecies } from '#contract/pets.ts'
import type { Decision, RulesReading } from '#contract/phone.ts'
import { LEVEL_NAMES } from '#contract/urgency.ts'
import { Combobox } from '../ui/combobox.tsx'
import { type FormHandle } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { contactSays, ContactStrip, type PhoneClinic } from './contact-card.tsx'
import { KeyChoices } from './key-choices.tsx'
import type { Typed } from './phone-rules.ts'
import { everyVet } from './queries.ts'
import { RulesRead } from './rules-read.tsx'

/** Which clinic was called, who called, and about which pet. Admins also say which vet took the call. */
export function CallFields({
  form,
  clinics,
  clinic,
  species,
  asksVet,
}: {
  form: FormHandle<Typed>
  clinics: PhoneClinic[]
  clinic: PhoneClinic | undefined
  species: Output<typeof listSpecies>
  asksVet: boolean
}) {
  const vets = useQuery({ ...everyVet, enabled: asksVet })
  return (
    <div className="stack gap-4">
      {asksVet && (
        <Select
          label="Vet who took the call"
          help={vets.isError ? 'We couldn’t load the vets.' : undefined}
          {...form.field('vet')}
        >
          <option value="">Choose</option>
          {vets.data?.map(({ id, firstName, lastName }) => (
            <option key={id} value={id}>
              Dr {firstName} {lastName}
            </option>
          ))}
        </Select>
      )}
      <div className="grid gap-4 min-[47.5rem]:grid-cols-[minmax(0,1.4fr)_minmax(0,1.2fr)_minmax(0,1fr)]">
        <Combobox
          label="Clinic"
          options={clinics.map(({ id, clinic, address }) => ({
            value: String(id),
            label: address ? `${clinic}, ${townOf(address)}` : clinic,
          }))}
          says={{
            all: 'clinics',
            choose: 'Choose a clinic from the list.',
            found: (count) => (count === 1 ? '1 clinic' : `${count} clinics`),
          }}
          {...form.control('clinic')}
        />
        <TextField label="Caller" autoComplete="off" maxLength={lengths.fullName} {...form.field('caller')} />
        <TextField
          label="Caller’s number"
          type="tel"
          optional
          autoComplete="off"
          maxLength={lengths.mobile}
          {...form.field('phone')}
        />
      </div>
      <p role="status" className="sr-only">
        {clinic && contactSays(clinic)}
      </p>
      {clinic && <ContactStrip clinic={clinic} />}
      <div className="grid grid-cols-2 gap-4 min-[47.5rem]:grid-cols-4">
        <TextField label="Pet" autoComplete="off" maxLength={lengths.name} {...form.field('pet')} />
        <Select label="Species" optional {...form.field('species')}>
          <option value="">–</option>
          {species.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Select label="Sex" optional {...form.field('sex')}>
          <option value="">–</option>
          <option value="1">Male</option>
          <option value="2">Female</option>
        </Select>
        <TextField
          label="Age"
          optional
          autoComplete="off"
          maxLength={lengths.mobile}
          {...form.field('age')}
        />
      </div>
    </div>
  )
}

/** "Rondebosch, Cape Town" from a whole address, to tell apart two clinics with the same name. */
const townOf = (address: string) => address.split(/, */).slice(1, 3).join(', ') || address

/** What the vet does next, in the order of the number keys. */
const NEXT: Record<Decision, string> = {
  hours: 'Wait for opening hours',
  emergency: 'Send to emergency clinic',
  contact: 'Call the contact',
}

/** The problem, how urgent it is, and what the vet did. `read` is what the rules read in the problem. */
export const CaseFields = ({
  form,
  typed,
  read,
}: {
  form: FormHandle<Typed>
  typed: Typed
  read: RulesReading | null
}) => (
  <>
    <div className="stack gap-5">
      <Textarea
        label="Problem, in the caller’s words"
        rows={2}
        maxLength={lengths.issue}
        {...form.field('query')}
      />
      <KeyChoices
        legend="Urgency"
        across="min-[17rem]:grid-cols-2 min-[47.5rem]:grid-cols-4"
        options={Object.entries(LEVEL_NAMES).map(([value, label]) => ({
          value,
          label,
          hot: value === 'emergency',
        }))}
        field={form.field('urgency')}
        value={typed.urgency}
        onChoose={(value) => form.hook.change('urgency', value)}
      />
      <RulesRead read={typed.query.trim() ? read : null} chosen={typed.urgency} />
    </div>
    <div className="stack gap-5">
      <Textarea
        label="Advice you gave"
        optional
        rows={2}
        maxLength={lengths.issue}
        {...form.field('advice')}
      />
      <KeyChoices
        legend="Outcome"
        across="min-[47.5rem]:grid-cols-3"
        options={Object.entries(NEXT).map(([value, label]) => ({ value, label }))}
        field={form.field('decision')}
        value={typed.decision}
        onChoose={(value) => form.hook.change('decision', value)}
      />
    </div>
  </>
)
