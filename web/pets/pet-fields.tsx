import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { day } from '../lib/dates.ts'
import { PetAvatar } from '../ui/avatar.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choices, ChoiceTile } from '../ui/choice-card.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { DateField } from '../ui/date-field.tsx'
import { FieldPair, type FormHandle } from '../ui/form.tsx'
import { useId } from '../ui/id.ts'
import { Link } from '../ui/link.tsx'
import { Segments } from '../ui/radio.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { SPECIES } from './pet-face.tsx'
import { birthTyped, type PetTyped } from './pet-rules.ts'
import { breeds } from './queries.ts'

export type PetForm = FormHandle<PetTyped>

export function SpeciesChoice({ form }: { form: PetForm }) {
  const { id, error, defaultValue: _, ...radio } = form.field('species')
  return (
    <Choices legend={say('What animal is it?')} across="tiles" id={id} error={error}>
      {SPECIES.map((one) => (
        <ChoiceTile
          key={one.id}
          small
          {...radio}
          value={String(one.id)}
          title={say(one.name)}
          picture={<PetAvatar species={one.drawing} size={44} />}
        />
      ))}
    </Choices>
  )
}

export const SexField = ({ form }: { form: PetForm }) => (
  <Segments
    legend={say('Sex')}
    optional
    options={[
      { value: '1', label: say('Male') },
      { value: '2', label: say('Female') },
    ]}
    {...form.field('sex')}
  />
)

export const SexAndDesexed = ({ form }: { form: PetForm }) => (
  <FieldPair>
    <SexField form={form} />
    <Segments
      legend={say('Desexed')}
      optional
      options={[
        { value: 'yes', label: say('Yes') },
        { value: 'no', label: say('No') },
      ]}
      {...form.field('desexed')}
    />
  </FieldPair>
)

export const AgreesToTerms = ({ form }: { form: PetForm }) => (
  <Checkbox
    label={say('I agree to the {terms}.', {
      terms: (
        <Link href="/terms-and-conditions" target="_blank">
          {say('terms and conditions')}
        </Link>
      ),
    })}
    {...form.check('agreed')}
  />
)

/** Only dogs and cats have breeds. Changing the species clears the breed. */
export function BreedField({ form, species }: { form: PetForm; species: number }) {
  const all = useQuery(breeds)
  const options = (all.data ?? [])
    .filter(({ species_id }) => species_id === species)
    .map(({ id, name }) => ({ value: String(id), label: name }))
  const { getValues, setValue } = form.hook
  const chosen = getValues('breed')
  const strays = all.data && chosen && !options.some(({ value }) => value === chosen)
  useEffect(() => {
    if (strays) setValue('breed', '')
  }, [strays, setValue])
  return (
    <Combobox
      {...form.control('breed')}
      label={say('Breed')}
      says={{
        all: say('breeds'),
        choose: say('Choose a breed from the list'),
        found: (count) => (count === 1 ? say('1 breed') : say('{count} breeds', { count })),
      }}
      options={options}
      pending={all.data || all.isError ? undefined : say('Loading the breeds…')}
      help={
        all.isError ? (
          <>
            {say('We couldn’t load the breeds.')}{' '}
            <button
              type="button"
              className="-my-3 min-h-11 px-1 font-semi text-green underline underline-offset-4"
              onClick={() => void all.refetch()}
            >
              {say('Try again')}
            </button>
          </>
        ) : all.data ? (
          say('Type a few letters. Crossbreed and Unknown are in the list too.')
        ) : (
          say('Loading the breeds…')
        )
      }
    />
  )
}

export function AgeField({ form }: { form: PetForm }) {
  const typed = form.hook.watch()
  const words = useId()
  const swap = (to: 'date' | 'age') => {
    form.hook.setValue('ageBy', to)
    requestAnimationFrame(() => form.hook.setFocus(to === 'age' ? 'years' : 'dob'))
  }
  const way = (to: 'date' | 'age', says: string) => (
    <button
      type="button"
      className="-my-2 min-h-11 justify-self-start text-left text-14 font-semi text-green underline underline-offset-4"
      onClick={() => swap(to)}
    >
      {says}
    </button>
  )
  if (typed.ageBy === 'date')
    return (
      <div className="stack content-start gap-1">
        <DateField
          {...form.control('dob')}
          label={say('Date of birth')}
          optional
          help={say('Day, month, year. A guess is fine.')}
        />
        {way('age', say('Enter an approximate age instead'))}
      </div>
    )
  const birth = birthTyped(typed)
  return (
    <div
      role="group"
      aria-label={say('Approximate age')}
      aria-describedby={words}
      className="stack content-start gap-1"
    >
      <div className="grid grid-cols-2 gap-3">
        <TextField label={say('Age in years')} type="digits" maxLength={3} {...form.field('years')} />
        <TextField label={say('Months')} type="digits" maxLength={3} {...form.field('months')} />
      </div>
      <p id={words} role="status" className="mt-1 text-14 text-ink-soft">
        {birth && birth !== 'wrong'
          ? say('Born about {day}.', { day: day(birth).replace(/^\w+ /, '') })
          : say('Optional. A guess is fine.')}
      </p>
      {way('date', say('Enter the date of birth instead'))}
    </div>
  )
}
