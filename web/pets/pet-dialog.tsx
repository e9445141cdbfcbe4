import { useQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { TERMS_VERSION } from '#contract/accounts.ts'
import { words } from '#contract/errors.ts'
import { CATS_AND_DOGS, type Pet } from '#contract/pets.ts'
import { birthOf, day } from '../lib/dates.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { PetAvatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choices, ChoiceTile } from '../ui/choice-card.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { clearDraft } from '../ui/form-draft.ts'
import { Control, FieldPair, Form, type Schema, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { Segments } from '../ui/radio.tsx'
import { TextField } from '../ui/text-field.tsx'
import { SPECIES, speciesOf } from './pet-face.tsx'
import { PetPicture, usePicture } from './pet-picture.tsx'
import { breeds, useAddPet, useUpdatePet } from './queries.ts'

const ADDED =
  'Your pet has been added, it will take a moment to be processed and display on your My Account for you.'
const CHANGED = 'Pet information updated.'
const OLDEST = 150

/** The fields as they are typed. */
export interface PetTyped {
  name: string
  species: string
  breed: string
  sex: string
  desexed: string
  /** Which of the two ways of saying an age is filled in. */
  ageBy: string
  dob: string
  years: string
  months: string
  microchip: string
  agreed: boolean
  leaves: boolean
}

const hasBreed = (species: string) => CATS_AND_DOGS.includes(Number(species))
const count = (typed: string) =>
  /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : typed.trim() ? Number.NaN : 0

/** The date of birth that was typed, or that the age comes to; null where nothing was said. */
export function birthTyped({ ageBy, dob, years, months }: PetTyped, now = new Date()): string | null {
  if (ageBy === 'date') return dob || null
  if (!years.trim() && !months.trim()) return null
  const [y, m] = [count(years), count(months)]
  return Number.isNaN(y) || Number.isNaN(m) || y > OLDEST ? 'wrong' : birthOf(y, m, now)
}

function wrongBirth(typed: PetTyped, now: Date): { path: keyof PetTyped; message: string } | undefined {
  const birth = birthTyped(typed, now)
  if (birth === null) return undefined
  if (typed.ageBy === 'age')
    return birth === 'wrong' ? { path: 'years', message: 'Enter the age in numbers.' } : undefined
  if (!/^\d{4}-\d\d-\d\d$/.test(birth))
    return { path: 'dob', message: 'Enter the date as day, month and year, such as 14/02/2020.' }
  if (Date.parse(birth) > now.getTime()) return { path: 'dob', message: 'This day is still to come.' }
  return undefined
}

const missing = words('PET_DETAILS_MISSING')

/** What has to be there before anything is sent; the server looks again. */
export const petRules = (adding: boolean, now = () => new Date()): Schema<PetTyped> => ({
  '~standard': {
    validate(value) {
      const typed = value as PetTyped
      const wrong: { path: keyof PetTyped; message: string }[] = []
      const lacks = (path: keyof PetTyped, ask: string) =>
        wrong.push({ path, message: wrong.length === 0 ? `${missing} ${ask}` : ask })
      if (adding && !typed.species) lacks('species', 'What animal is it?')
      if (!typed.name.trim()) lacks('name', 'What is your pet called?')
      if (adding && hasBreed(typed.species) && !typed.breed) lacks('breed', 'Choose the breed in the list.')
      const birth = wrongBirth(typed, now())
      if (birth) wrong.push(birth)
      if (!/^(\d{15})?$/.test(typed.microchip.replace(/\s/g, '')))
        wrong.push({ path: 'microchip', message: words('WRONG_MICROCHIP') })
      if (adding && !typed.agreed) wrong.push({ path: 'agreed', message: words('PET_TERMS_NOT_AGREED') })
      return wrong.length > 0
        ? { issues: wrong.map(({ path, message }) => ({ path: [path], message })) }
        : { value: typed }
    },
  },
})

const typedOf = (pet: Pet | undefined): PetTyped => ({
  name: pet?.name ?? '',
  species: pet ? String(pet.species_id) : '',
  breed: pet?.breed_id ? String(pet.breed_id) : '',
  sex: pet?.sex ? String(pet.sex) : '',
  desexed: pet?.desexed == null ? '' : pet.desexed ? 'yes' : 'no',
  ageBy: 'date',
  dob: pet?.dob ?? '',
  years: '',
  months: '',
  microchip: pet?.microchip ?? '',
  agreed: false,
  leaves: false,
})

/** Adds a pet, or changes one: its species and breed stay. */
export function PetDialog({ pet, onClose }: { pet: Pet | undefined; onClose: () => void }) {
  const { show } = useAlert()
  const add = useAddPet()
  const update = useUpdatePet()
  const picture = usePicture()
  const draft = `pet:${pet?.id ?? 'new'}`
  const form = useForm({ schema: petRules(!pet), defaults: typedOf(pet), draft })
  const { species, name } = form.hook.watch()

  async function save(typed: PetTyped) {
    const pet_image = await picture.arrived()
    const details = {
      name: typed.name,
      sex: typed.sex === '' ? null : Number(typed.sex),
      dob: birthTyped(typed),
      desexed: typed.desexed === '' ? null : typed.desexed === 'yes',
      microchip: typed.microchip.replace(/\s/g, ''),
      ...(pet_image && { pet_image }),
    }
    if (pet) await update({ ...details, id: pet.id, ...(typed.leaves && { pawcare_out: true }) })
    else
      await add({
        ...details,
        pet_species: Number(typed.species),
        breed: hasBreed(typed.species) ? Number(typed.breed) : null,
        agreed: typed.agreed,
        terms: TERMS_VERSION,
      })
    show(pet ? CHANGED : ADDED)
    onClose()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={pet ? `Edit ${pet.name}` : 'Add a pet'}
      foot={
        <>
          <Button type="submit" form={form.id} variant="primary" busy={form.busy}>
            {pet ? 'Save changes' : `Add ${name.trim() || 'pet'}`}
          </Button>
          <Button
            variant="text"
            className="max-sm:hidden"
            onClick={() => {
              clearDraft(draft)
              onClose()
            }}
          >
            Cancel
          </Button>
        </>
      }
    >
      <Form form={form} onSubmit={save}>
        <PetPicture picture={picture} species={Number(species) || null} current={pet?.pet_image ?? null} />
        {pet ? <Locked pet={pet} /> : <SpeciesChoice form={form} />}
        {pet ? (
          <TextField label="Name" autoComplete="off" maxLength={80} {...form.field('name')} />
        ) : (
          <FieldPair>
            <TextField label="Name" autoComplete="off" maxLength={80} {...form.field('name')} />
            {hasBreed(species) && <BreedField key={species} form={form} species={Number(species)} />}
          </FieldPair>
        )}
        <FieldPair>
          <Segments
            legend="Sex"
            optional
            options={[
              { value: '1', label: 'Male' },
              { value: '2', label: 'Female' },
            ]}
            {...form.field('sex')}
          />
          <Segments
            legend="Desexed"
            optional
            options={[
              { value: 'yes', label: 'Yes' },
              { value: 'no', label: 'No' },
            ]}
            {...form.field('desexed')}
          />
        </FieldPair>
        <FieldPair>
          <AgeField form={form} />
          <TextField label="Microchip" type="digits" optional help="15 digits" {...form.field('microchip')} />
        </FieldPair>
        {pet ? (
          <PawCare form={form} pet={pet} />
        ) : (
          <Checkbox
            label={
              <>
                I agree to the{' '}
                <Link href="/terms-and-conditions" target="_blank">
                  terms and conditions
                </Link>
                .
              </>
            }
            {...boxOf(form, 'agreed')}
          />
        )}
      </Form>
    </Dialog>
  )
}

type PetForm = ReturnType<typeof useForm<PetTyped>>

const boxOf = (form: PetForm, name: 'agreed' | 'leaves') => form.check(name)

function SpeciesChoice({ form }: { form: PetForm }) {
  const { id, error, defaultValue: _, ...radio } = form.field('species')
  return (
    <Choices legend="What animal is it?" across="tiles" id={id} error={error}>
      {SPECIES.map((one) => (
        <ChoiceTile
          key={one.id}
          small
          {...radio}
          value={String(one.id)}
          title={one.name}
          picture={<PetAvatar species={one.drawing} size={44} />}
        />
      ))}
    </Choices>
  )
}

const Locked = ({ pet }: { pet: Pet }) => (
  <FieldPair>
    <TextField
      label="Species"
      readOnly
      defaultValue={speciesOf(pet.species_id).name}
      help="Species and breed can’t be changed later."
    />
    {pet.breed && <TextField label="Breed" readOnly defaultValue={pet.breed.name} />}
  </FieldPair>
)

/** Dogs and cats have one. Another species begins without any. */
function BreedField({ form, species }: { form: PetForm; species: number }) {
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
    <Control form={form} name="breed">
      {(control) => (
        <Combobox
          {...control}
          label="Breed"
          noun={['breed', 'breeds']}
          options={options}
          help={
            all.isError ? (
              <>
                The breeds did not load.{' '}
                <button
                  type="button"
                  className="-my-3 min-h-11 px-1 font-semi text-green underline underline-offset-4"
                  onClick={() => void all.refetch()}
                >
                  Try again
                </button>
              </>
            ) : all.data ? (
              'Type a few letters. Crossbreed and unknown are there too.'
            ) : (
              'Loading the breeds…'
            )
          }
        />
      )}
    </Control>
  )
}

/** A date of birth, or what one guesses: years and months. */
function AgeField({ form }: { form: PetForm }) {
  const typed = form.hook.watch()
  const words = useId()
  const swap = (to: 'date' | 'age') => {
    form.hook.setValue('ageBy', to, { shouldDirty: true })
    requestAnimationFrame(() => form.hook.setFocus(to === 'age' ? 'years' : 'dob'))
  }
  const way = (to: 'date' | 'age', says: string) => (
    <button
      type="button"
      className="-my-2 min-h-11 justify-self-start text-14 font-semi text-green underline underline-offset-4"
      onClick={() => swap(to)}
    >
      {says}
    </button>
  )
  if (typed.ageBy === 'date')
    return (
      <div className="stack content-start gap-1">
        <Control form={form} name="dob">
          {(control) => (
            <DateField
              {...control}
              label="Date of birth"
              optional
              help="Day, month, year. A guess is fine."
            />
          )}
        </Control>
        {way('age', 'Enter an approximate age instead')}
      </div>
    )
  const birth = birthTyped(typed)
  return (
    <div
      role="group"
      aria-label="Approximate age"
      aria-describedby={words}
      className="stack content-start gap-1"
    >
      <div className="grid grid-cols-2 gap-3">
        <TextField label="Years" type="digits" maxLength={3} {...form.field('years')} />
        <TextField label="Months" type="digits" maxLength={3} {...form.field('months')} />
      </div>
      <p id={words} role="status" className="mt-1 text-14 text-ink-soft">
        {birth && birth !== 'wrong' ? `Born about ${day(birth).replace(/^\w+ /, '')}.` : 'A guess is fine.'}
      </p>
      {way('date', 'Enter the date of birth instead')}
    </div>
  )
}

/** Where it stands, and the way out while there is cover. */
function PawCare({ form, pet }: { form: PetForm; pet: Pet }) {
  if (pet.cover.state === 'opted_out')
    return (
      <Note tone="info" title="Opted out of PawCare">
        {pet.name}’s vet bills are not covered.
      </Note>
    )
  if (pet.cover.state === 'not_eligible') return null
  return (
    <div className="stack gap-1 border-t border-line pt-4">
      <Checkbox label={`Take ${pet.name} out of PawCare`} {...boxOf(form, 'leaves')} />
      <p className="pl-9 text-14 text-ink-soft">
        Cover ends when you save. {pet.name}’s vet bills after that are not paid.
      </p>
    </div>
  )
}
