import { REGIONS } from '#contract/regions.ts'
import { useState } from 'react'
import { LANGUAGES, REGISTRATION_LENGTH, type Vet, VET_ABOUT_LENGTH } from '#contract/vets.ts'
import { USER_TYPES } from '#contract/accounts.ts'
import { sentenceOf } from '#contract/errors.ts'
import { PictureField, PlacePicture, usePicture } from '../pets/pet-picture.tsx'
import { day } from '../lib/dates.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { ChangedMeanwhile } from '../ui/changed-meanwhile.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { FilePicture } from '../ui/file-picture.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { useSaveVet, useSetUserType } from './queries.ts'
import { OneVet } from './vet-cards.tsx'
import { isVet, noRegistration, shortName, vetName } from './vet-words.ts'

const HINT = 'rounded-card bg-paper-sunk p-4 text-14'
const PRESSED_IN_TEXT = 'min-h-9 font-semi text-green underline underline-offset-4'

const detailsOf = ({ registration, about, languages }: Vet) => ({
  registration: registration ?? '',
  about,
  languages,
})

/** What owners see of a vet. If the person isn't a vet yet, saving makes them one. */
export function VetDialog({
  vet,
  onClose,
  onTurn,
  onLost,
  onTypeChange,
}: {
  vet: Vet
  onTypeChange: (vet: Vet) => void
  onClose: () => void
  onTurn?: () => void
  /** For a vet who lost their phone, and with it the second factor. */
  onLost?: () => void
}) {
  /** What somebody else saved first. */
  const [current, setCurrent] = useState<Vet>()
  const save = useSaveVet(setCurrent)
  const setType = useSetUserType()
  const picture = usePicture()
  const form = useForm({
    rules: ({ registration, about }) => ({
      registration: noRegistration(registration),
      about: about.trim().length > VET_ABOUT_LENGTH && sentenceOf('TEXT_TOO_LONG'),
    }),
    defaults: detailsOf(vet),
  })
  const typed = form.hook.watch()
  const { languages } = typed
  const name = vetName(vet)
  const becomes = !isVet(vet)
  const unproven = becomes && !vet.email_confirmed

  return (
    <>
      <FormDialog
        title={becomes ? `Make ${shortName(vet)} a vet` : `Edit ${name}`}
        form={form}
        does={becomes ? `Make ${shortName(vet)} a vet` : 'Save vet'}
        keeps="Leave as it is"
        onClose={onClose}
        onSubmit={async (sent) => {
          const filename = await picture.arrived()
          await save({
            id: vet.id,
            saved_at: (current ?? vet).saved_at,
            ...sent,
            ...(filename && { picture: filename }),
          })
          if (becomes) onTypeChange(await setType({ id: vet.id, type: USER_TYPES.vet }))
          return becomes
            ? `${name} is a vet now.${unproven ? ' We’ve emailed them a link to set a new password.' : ''}`
            : `${name} has been updated.`
        }}
      >
        {current && (
          <ChangedMeanwhile
            changes={[
              { label: 'Registration number', now: current.registration ?? '', mine: typed.registration },
              { label: 'Languages', now: current.languages.join(', '), mine: languages.join(', ') },
              { label: 'Text', now: current.about, mine: typed.about },
            ].filter(({ now, mine }) => now !== mine)}
            onTake={() => form.hook.setValues(detailsOf(current))}
          />
        )}
        {unproven && (
          <p className={HINT}>
            {shortName(vet)} never confirmed the email <b className="font-semi break-all">{vet.email}</b>.
            We’ll send a link to set a new password there, which works for 48 hours. The old password stops
            working.
          </p>
        )}
        <PictureField
          picture={picture}
          label="Picture"
          help="Optional. JPEG or PNG, up to 16 MB."
          current={vet.picture}
          fallback={<VetAvatar name={name} size={96} />}
        />
        <TextField
          label="Registration number"
          maxLength={REGISTRATION_LENGTH}
          autoComplete="off"
          help={`Check it on the register of ${REGIONS[vet.region].name} first. The vet answers consults from there only, and owners see the number.`}
          {...form.field('registration')}
        />
        <fieldset>
          <legend className="mb-1 font-semi">Languages</legend>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4">
            {LANGUAGES.map((language) => (
              <Checkbox
                key={language}
                label={language}
                checked={languages.includes(language)}
                onChange={({ target }) =>
                  form.hook.change(
                    'languages',
                    target.checked ? [...languages, language] : languages.filter((one) => one !== language),
                  )
                }
              />
            ))}
          </div>
        </fieldset>
        <Textarea
          label="A short text for owners"
          optional
          rows={3}
          maxLength={VET_ABOUT_LENGTH}
          help={`${typed.about.trim().length} of ${VET_ABOUT_LENGTH} characters`}
          {...form.field('about')}
        />
        <section aria-label="What owners see" className="stack gap-2 rounded-card bg-paper-sunk p-4">
          <h3 className="text-14 font-semi">What owners see</h3>
          <OneVet
            vet={{
              name,
              picture: vet.picture,
              registration: typed.registration.trim() || 'Missing',
              languages,
              about: typed.about.trim(),
              demo: false,
            }}
            face={
              picture.chosen.file && (
                <span className="size-16 flex-none overflow-hidden rounded-full bg-green-soft">
                  <FilePicture file={picture.chosen.file} alt="" className="size-full object-cover" />
                </span>
              )
            }
          />
        </section>
        {onLost && <SecondFactor vet={vet} onLost={onLost} />}
        {onTurn && (
          <p className={HINT}>
            {shortName(vet)} can take consults.{' '}
            <button type="button" className={PRESSED_IN_TEXT} onClick={onTurn}>
              Make {shortName(vet)} an owner again
            </button>
          </p>
        )}
      </FormDialog>
      <PlacePicture picture={picture} />
    </>
  )
}

const SecondFactor = ({ vet, onLost }: { vet: Vet; onLost: () => void }) => (
  <p className={HINT}>
    {vet.factor_since ? (
      <>
        {shortName(vet)} has had a second factor since {day(vet.factor_since)}.{' '}
        <button type="button" className={PRESSED_IN_TEXT} onClick={onLost}>
          Remove a lost second factor
        </button>
      </>
    ) : (
      <>{shortName(vet)} has no second factor. Each vet sets up their own under Profile.</>
    )}
  </p>
)
