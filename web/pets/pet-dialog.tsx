import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { TERMS_VERSION } from '#contract/accounts.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { Pet } from '#contract/pets.ts'
import * as lengths from '#contract/lengths.ts'
import { LateCardDialog } from '../payments/late-card-dialog.tsx'
import { myPaymentMethod } from '../payments/queries.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { clearDraft } from '../ui/form-draft.ts'
import { FieldPair, Form, type Refusal, useForm } from '../ui/form.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { Note } from '../ui/note.tsx'
import { useSavedElsewhere } from '../ui/saved-elsewhere.ts'
import { say, sentence } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { PetFace, speciesOf } from './pet-face.tsx'
import {
  AgeField,
  AgreesToTerms,
  BreedField,
  type PetForm,
  SexAndDesexed,
  SpeciesChoice,
} from './pet-fields.tsx'
import { PictureField, PlacePicture, usePicture } from './pet-picture.tsx'
import { ADDED, breedTyped, detailsOf, hasBreed, petRules, type PetTyped, typedOf } from './pet-rules.ts'
import { unanswered } from './sent-purchase.ts'
import { hasRoom, useAddPet, useMemberships, useUpdatePet } from './queries.ts'

const CHANGED = sentence('Pet information updated.')
const FULL = sentenceOf('MEMBERSHIP_FULL')
const NEEDS_CARD = sentenceOf('PET_NEEDS_PAYMENT_METHOD')

const loadPurchase = () => import('./purchase-dialog.tsx')
const loadAway = () => import('./away-dialog.tsx')

const says = (error: unknown, words: string) =>
  (error as Refusal | undefined)?.errors?.includes(words) ?? false

/** Adds or edits a pet. Species and breed can't be edited. */
export function PetDialog({ pet, onClose }: { pet: Pet | undefined; onClose: () => void }) {
  const { show } = useAlert()
  const add = useAddPet()
  const update = useUpdatePet()
  const picture = usePicture()
  const memberships = useMemberships()
  /** The server said that there's no place left, because another tab took the last one. */
  const [refusedFull, setRefusedFull] = useState(false)
  /** A purchase without a response is finished before anything new. */
  const [buying, setBuying] = useState(() => (pet ? undefined : unanswered()?.input))
  const [leaving, setLeaving] = useState(false)
  const draft = `pet:${pet?.id ?? 'new'}`
  const saved = typedOf(pet)
  const form = useForm({ rules: petRules(!pet), defaults: saved, draft })
  useSavedElsewhere(form, saved)
  const { species, name } = form.hook.watch()
  const isMember = (memberships?.length ?? 0) > 0
  const card = useQuery({ ...myPaymentMethod, enabled: !pet })
  const [addsCard, setAddsCard] = useState(false)
  const addCard = useRef<HTMLButtonElement>(null)
  // Shown above the form, before it is filled in. The partner insurer's customers need no card.
  const isInsured = memberships?.some(({ source }) => source === 'insurer')
  const cardFirst = !pet && card.data === null && isInsured === false
  const full = !pet && (refusedFull || (isMember && !memberships?.some(hasRoom)))

  function end(said?: string) {
    clearDraft(draft)
    // Each dialog restores the focus, the inner one first.
    flushSync(() => {
      setBuying(undefined)
      setLeaving(false)
    })
    if (said) show(said)
    onClose()
  }

  async function save(typed: PetTyped) {
    const pet_image = await picture.arrived()
    const details = { ...detailsOf(typed), ...(pet_image && { pet_image }) }
    if (pet) {
      await update({ ...details, id: pet.id, ...(typed.leaves && { pawcare_out: true }) })
      return end(say(CHANGED))
    }
    const open = unanswered()
    if (open || full) {
      setBuying(
        open?.input ?? {
          pet: { ...details, species_id: Number(typed.species), breed_id: breedTyped(typed) },
          agreed: typed.agreed,
          terms: TERMS_VERSION,
        },
      )
      // The draft stays until the membership is bought.
      throw { errors: [] } satisfies Refusal
    }
    try {
      await add({
        ...details,
        pet_species: Number(typed.species),
        breed: breedTyped(typed),
        agreed: typed.agreed,
        terms: TERMS_VERSION,
      })
    } catch (error) {
      if (says(error, NEEDS_CARD) && (await card.refetch()).data === null) {
        // The note above the form says so, and stays only until there's a card.
        setTimeout(() => addCard.current?.focus())
        throw { errors: [] } satisfies Refusal
      }
      if (!says(error, FULL)) throw error
      setRefusedFull(true)
      throw { errors: [] } satisfies Refusal
    }
    end(say(ADDED))
  }

  function does() {
    if (pet) return say('Save changes')
    if (full) return say('Purchase membership')
    return name.trim() ? say('Add {name}', { name: name.trim() }) : say('Add pet')
  }
  const nameField = (
    <TextField label={say('Name')} autoComplete="off" maxLength={lengths.name} {...form.field('name')} />
  )

  return (
    <Dialog
      onClose={onClose}
      title={pet ? say('Edit {name}', { name: pet.name }) : say('Add a pet')}
      foot={
        <>
          <Button type="submit" form={form.id} variant="primary" busy={form.busy}>
            {does()}
          </Button>
          <Button variant="text" className="max-sm:hidden" onClick={() => end()}>
            {say('Cancel')}
          </Button>
        </>
      }
    >
      <div role="status" className="empty:hidden">
        {full && <Note tone="info" icon="paw-print" title={say(FULL)} />}
        {cardFirst && (
          <Note tone="info" icon="credit-card" title={say('First, add a card to your account')}>
            {say(sentenceOf('PET_NEEDS_PAYMENT_METHOD'))} {say('Nothing is charged now.')}
            <div className="mt-2">
              <Button ref={addCard} size={44} onClick={() => setAddsCard(true)}>
                {say('Add card')}
              </Button>
            </div>
          </Note>
        )}
      </div>
      <Form form={form} onSubmit={save}>
        <PictureField
          picture={picture}
          label={say('Picture of your pet')}
          help={say('Optional. JPEG or PNG, up to 16 MB.')}
          current={pet?.pet_image ?? null}
          fallback={<PetFace species={Number(species) || null} size={96} />}
        />
        {pet ? <Locked pet={pet} /> : <SpeciesChoice form={form} />}
        {pet ? (
          nameField
        ) : (
          <FieldPair>
            {nameField}
            {hasBreed(species) && <BreedField key={species} form={form} species={Number(species)} />}
          </FieldPair>
        )}
        <SexAndDesexed form={form} />
        <FieldPair>
          <AgeField form={form} />
          <TextField
            label={say('Microchip')}
            type="digits"
            optional
            help={say('15 digits')}
            {...form.field('microchip')}
          />
        </FieldPair>
        {pet ? <PawCare form={form} pet={pet} /> : <AgreesToTerms form={form} />}
      </Form>
      {pet && (
        <div className="border-t border-line pt-2">
          <Button variant="text" size={44} className="-ml-3" onClick={() => setLeaving(true)}>
            {say('This pet is no longer with me')}
          </Button>
        </div>
      )}
      <PlacePicture picture={picture} />
      {addsCard && <LateCardDialog replaces={false} onClose={() => setAddsCard(false)} />}
      {buying && (
        <LateDialog
          load={loadPurchase}
          title={say('Purchase membership')}
          onClose={() => setBuying(undefined)}
        >
          {({ PurchaseDialog }) => (
            <PurchaseDialog
              input={buying}
              isMember={isMember}
              onBought={() => end(say(ADDED))}
              onClose={() => setBuying(undefined)}
            />
          )}
        </LateDialog>
      )}
      {pet && leaving && (
        <LateDialog
          load={loadAway}
          title={say('{name} is no longer with you', { name: pet.name })}
          onClose={() => setLeaving(false)}
        >
          {({ AwayDialog }) => <AwayDialog pet={pet} onAway={end} onClose={() => setLeaving(false)} />}
        </LateDialog>
      )}
    </Dialog>
  )
}

const Locked = ({ pet }: { pet: Pet }) => (
  <FieldPair>
    <TextField
      label={say('Species')}
      readOnly
      defaultValue={speciesOf(pet.species_id).name}
      help={say('Species and breed can’t be changed later.')}
    />
    {pet.breed && <TextField label={say('Breed')} readOnly defaultValue={pet.breed.name} />}
  </FieldPair>
)

/** The pet's cover, and how to opt out of it. */
function PawCare({ form, pet }: { form: PetForm; pet: Pet }) {
  if (pet.cover.state === 'opted_out')
    return (
      <Note tone="info" title={say('Opted out of PawCare')}>
        {say('{name}’s vet bills are not covered.', { name: pet.name })}
      </Note>
    )
  if (pet.cover.state === 'not_eligible') return null
  return (
    <div className="stack gap-1 border-t border-line pt-4">
      <Checkbox label={say('Opt {name} out of PawCare', { name: pet.name })} {...form.check('leaves')} />
      <p className="pl-9 text-14 text-ink-soft">
        {say('Cover ends when you save. {name}’s vet bills after that won’t be paid.', { name: pet.name })}
      </p>
    </div>
  )
}
