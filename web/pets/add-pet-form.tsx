import { type Ref, useRef, useState } from 'react'
import { TERMS_VERSION } from '#contract/accounts.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { Pet } from '#contract/pets.ts'
import * as lengths from '#contract/lengths.ts'
import { PolicyCodeForm } from '../policies/code-form.tsx'
import { useLookUpPolicy } from '../policies/queries.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { clearDraft } from '../ui/form-draft.ts'
import type { Rules } from '../ui/form-state.ts'
import { FieldPair, Form, type Refusal, useForm } from '../ui/form.tsx'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { PolicySpecies } from './policy-species.tsx'
import { AgeField, AgreesToTerms, BreedField, type PetForm, SexAndDesexed } from './pet-fields.tsx'
import { ADDED, breedTyped, detailsOf, hasBreed, petRules, type PetTyped, typedOf } from './pet-rules.ts'
import { POLICY_PLACE } from './policy-place.ts'
import { useAddPet } from './queries.ts'

const DRAFT = 'pet:policy'

interface PolicyTyped extends PetTyped {
  policy: string
  /** The number of the policy that provided the pet's name and type. */
  found: string
}

const isFound = ({ policy, found }: PolicyTyped) => found !== '' && found === policy.trim()

const rules: Rules<PolicyTyped> = (typed) =>
  isFound(typed)
    ? petRules(true)(typed)
    : { policy: !typed.policy.trim() && say('Enter the number shown on your policy.') }

/** Asks for the policy number first, and then fills in the policy's details. */
export function AddPetForm() {
  const lookUp = useLookUpPolicy()
  const add = useAddPet()
  const [added, setAdded] = useState<Pet>()
  const form = useForm({
    rules,
    defaults: {
      ...typedOf(undefined),
      policy: sessionStorage.getItem(POLICY_PLACE) ?? '',
      found: '',
    } as PolicyTyped,
    draft: DRAFT,
  })
  const typed = form.hook.watch()
  const found = isFound(typed)
  const { setValue, setFocus } = form.hook
  const note = useRef<HTMLDivElement>(null)

  async function find(policy: string) {
    try {
      const { policy: known } = await lookUp({ policy })
      form.hook.setValues({
        policy: known.policy,
        name: known.pet_name,
        species: String(known.pet_type),
        found: known.policy,
      })
      // Scrolls up, because the errors are above the button.
      setTimeout(() => note.current?.focus())
    } catch (refusal) {
      const { errors } = refusal as Refusal
      // An error about the policy number is shown at its field, any other at the top.
      if (!errors?.includes(sentenceOf('POLICY_INVALID'))) throw refusal
      throw { errors, fields: { policy: sentenceOf('POLICY_INVALID') } } satisfies Refusal
    }
    // Not finished, so the draft stays.
    throw { errors: [] } satisfies Refusal
  }
  async function submit(sent: PolicyTyped) {
    if (!isFound(sent)) return find(sent.policy.trim())
    setAdded(
      await add({
        ...detailsOf(sent),
        pet_species: Number(sent.species),
        breed: breedTyped(sent),
        policy: sent.found,
        agreed: sent.agreed,
        terms: TERMS_VERSION,
      }),
    )
    sessionStorage.removeItem(POLICY_PLACE)
  }
  function another() {
    setValue('found', '')
    setTimeout(() => setFocus('policy'))
  }

  return (
    <>
      <Form form={form} onSubmit={submit}>
        <TextField
          label={say('Policy number')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={lengths.code}
          readOnly={found}
          help={
            found ? undefined : say('You’ll find it at the top of your policy and in the insurer’s emails.')
          }
          aside={
            found && (
              <Button variant="text" size={44} className="-my-2" onClick={another}>
                {say('Use another number')}
              </Button>
            )
          }
          {...form.field('policy')}
        />
        {found && <PolicyPet form={form} typed={typed} note={note} />}
        <div className="grid gap-2 sm:flex sm:flex-row-reverse sm:justify-start sm:gap-3">
          <Button
            type="submit"
            variant="primary"
            busy={form.busy}
            busyLabel={found ? say('Adding…') : say('Looking up…')}
          >
            {found ? say('Add new pet') : say('Look up policy')}
          </Button>
          <LinkButton variant="text" href="/myaccount" onClick={() => clearDraft(DRAFT)}>
            {say('Cancel')}
          </LinkButton>
        </div>
      </Form>
      {added && <Added pet={added} />}
    </>
  )
}

function PolicyPet({ form, typed, note }: { form: PetForm; typed: PetTyped; note: Ref<HTMLDivElement> }) {
  const species = Number(typed.species)
  return (
    <>
      <div ref={note} role="status" tabIndex={-1} className="outline-none">
        <Note tone="info" icon="circle-check" title={say('We found the policy')}>
          {say('Please check that everything is right, and add what’s missing.')}
        </Note>
      </div>
      <PolicySpecies species={species} />
      <FieldPair>
        <TextField label={say('Name')} autoComplete="off" maxLength={lengths.name} {...form.field('name')} />
        {hasBreed(typed.species) && <BreedField form={form} species={species} />}
      </FieldPair>
      <SexAndDesexed form={form} />
      <AgeField form={form} />
      <AgreesToTerms form={form} />
    </>
  )
}

/** The policy was added. A person whose email isn't the holder's types the code that the holder was mailed. */
function Added({ pet }: { pet: Pet }) {
  const [confirmed, setConfirmed] = useState(false)
  const waits = pet.policy && !pet.policy.confirmed && !confirmed
  const leave = () => location.assign('/myaccount')
  return (
    <Dialog
      small
      onClose={leave}
      title={say('{name} has been added', { name: pet.name })}
      foot={
        <LinkButton variant={waits ? 'line' : 'primary'} href="/myaccount">
          {waits ? say('Do this later on My account') : say('Go to My account')}
        </LinkButton>
      }
    >
      <p role="status">
        {confirmed ? say('The policy is confirmed. {name} is all set.', { name: pet.name }) : say(ADDED)}
      </p>
      {waits && pet.policy && (
        <div className="stack gap-5 border-t border-line pt-5">
          <PolicyCodeForm policy={pet.policy.policy} pet={pet.name} onConfirmed={() => setConfirmed(true)} />
          <p className="text-14 text-ink-soft">
            {say('Don’t have the code yet? You’ll find this again next to {name} on My account.', {
              name: pet.name,
            })}
          </p>
        </div>
      )}
    </Dialog>
  )
}
