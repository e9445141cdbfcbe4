import type { ReactNode } from 'react'
import * as lengths from '#contract/lengths.ts'
import { PetAvatar } from '../ui/avatar.tsx'
import { Choices, ChoiceTile } from '../ui/choice-card.tsx'
import { FieldPair, FormSection, type FormHandle } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { say } from '../ui/say.ts'
import { type FirstPet, OTHER } from './first-pet.ts'
import { SPECIES } from './pet-face.tsx'
import { AgeField, BreedField, SexField } from './pet-fields.tsx'
import { hasBreed } from './pet-rules.ts'

/** Owners of other animals choose from a list. */
const [DOG, CAT, ...OTHERS] = SPECIES

type FirstPetForm = FormHandle<FirstPet>

/** The pet's fields in every form that needs no account. */
export function FirstPetPart({
  form,
  title,
  animal,
}: {
  form: FirstPetForm
  title: string
  /** What to show if there's nothing to choose. */
  animal?: ReactNode
}) {
  const species = form.hook.watch('species')
  return (
    <FormSection title={title}>
      {animal ?? <SpeciesPart form={form} />}
      <FieldPair>
        <TextField
          label={say('Pet’s name')}
          autoComplete="off"
          maxLength={lengths.name}
          {...form.field('name')}
        />
        {hasBreed(species) && <BreedField form={form} species={Number(species)} />}
      </FieldPair>
      <FieldPair>
        <AgeField form={form} />
        <SexField form={form} />
      </FieldPair>
    </FormSection>
  )
}

function SpeciesPart({ form }: { form: FirstPetForm }) {
  const isOther = form.hook.watch('species') === OTHER
  const { id, error, defaultValue: _, ...radio } = form.field('species')
  return (
    <>
      <Choices legend={say('What animal is it?')} across="three" id={id} error={error}>
        {[DOG!, CAT!].map((one) => (
          <ChoiceTile
            key={one.id}
            {...radio}
            value={String(one.id)}
            title={say(one.name)}
            picture={<PetAvatar species={one.drawing} size={56} />}
          />
        ))}
        <ChoiceTile
          {...radio}
          value={OTHER}
          title={say('Other')}
          picture={<PetAvatar species="other" size={56} />}
        />
      </Choices>
      {isOther && (
        <Select label={say('Which animal?')} {...form.field('other')}>
          <option value="" disabled>
            {say('Choose one')}
          </option>
          {OTHERS.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {say(one.name)}
            </option>
          ))}
        </Select>
      )}
    </>
  )
}
