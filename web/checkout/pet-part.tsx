import { PetAvatar } from '../ui/avatar.tsx'
import { Choices, ChoiceTile } from '../ui/choice-card.tsx'
import { FieldPair, FormSection } from '../ui/form.tsx'
import { Segments } from '../ui/radio.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { SPECIES } from '../pets/pet-face.tsx'
import { AgeField, BreedField, type PetForm } from '../pets/pet-fields.tsx'
import { hasBreed } from '../pets/pet-typed.tsx'
import type { PurchaseForm } from './buying-form.tsx'
import { OTHER } from './purchase-typed.tsx'

/** Who comes with another animal finds it in a list. */
const [DOG, CAT, ...OTHERS] = SPECIES

export function PetPart({ form }: { form: PurchaseForm }) {
  const petForm = form as unknown as PetForm
  const species = form.hook.watch('species')
  return (
    <>
      <FormSection title="Your pet">
        <SpeciesPart form={form} />
        <FieldPair>
          <TextField label="Pet’s name" autoComplete="off" maxLength={80} {...form.field('name')} />
          {hasBreed(species) && <BreedField form={petForm} species={Number(species)} />}
        </FieldPair>
        <FieldPair>
          <AgeField form={petForm} />
          <Segments
            legend="Sex"
            optional
            options={[
              { value: '1', label: 'Male' },
              { value: '2', label: 'Female' },
            ]}
            {...form.field('sex')}
          />
        </FieldPair>
      </FormSection>
      <FormSection title="What’s wrong?">
        <Textarea
          label="Tell the vet what you see"
          help="When it began, what changed, what they ate or touched. Photos come next, in the chat."
          maxLength={4000}
          rows={4}
          {...form.field('issue')}
        />
      </FormSection>
    </>
  )
}

function SpeciesPart({ form }: { form: PurchaseForm }) {
  const isOther = form.hook.watch('species') === OTHER
  const { id, error, defaultValue: _, ...radio } = form.field('species')
  return (
    <>
      <Choices legend="What animal is it?" across="three" id={id} error={error}>
        {[DOG!, CAT!].map((one) => (
          <ChoiceTile
            key={one.id}
            {...radio}
            value={String(one.id)}
            title={one.name}
            picture={<PetAvatar species={one.drawing} size={56} />}
          />
        ))}
        <ChoiceTile
          {...radio}
          value={OTHER}
          title="Another"
          picture={<PetAvatar species="other" size={56} />}
        />
      </Choices>
      {isOther && (
        <Select label="Which animal?" {...form.field('other')}>
          <option value="" disabled>
            Choose one
          </option>
          {OTHERS.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {one.name}
            </option>
          ))}
        </Select>
      )}
    </>
  )
}
