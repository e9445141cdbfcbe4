import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import type { Clinic } from '#contract/clinics.ts'
import { sentenceOf } from '#contract/errors.ts'
import { isEmail } from '#contract/fields.ts'
import * as lengths from '#contract/lengths.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { ChangedMeanwhile } from '../ui/changed-meanwhile.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import type { Rules } from '../ui/form-state.ts'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { everyClinic, useDeleteClinic, useSaveClinic } from './queries.ts'
import { phoneShown } from './week-rules.ts'

const detailsOf = ({ clinic, address, state, telephone, email, comments }: Clinic) => ({
  clinic,
  address,
  state,
  telephone: phoneShown(telephone),
  email,
  comments,
})
type Details = ReturnType<typeof detailsOf>

const FIELDS = {
  clinic: { label: 'Name', maxLength: lengths.clinic },
  address: {
    label: 'Address',
    optional: true,
    maxLength: lengths.address,
    help: 'Owners find their clinic by its town.',
  },
  state: { label: 'Province or state', optional: true, maxLength: lengths.name },
  telephone: { label: 'Telephone', optional: true, type: 'tel', maxLength: lengths.mobile },
  email: {
    label: 'Email',
    optional: true,
    type: 'email',
    help: 'Where we email the clinic about its consults.',
  },
  comments: { label: 'Comments for vets', optional: true, maxLength: lengths.handOver },
} as const satisfies Record<keyof Details, ComponentProps<typeof TextField>>
const NAMES = Object.keys(FIELDS) as (keyof Details)[]

const detailRules: Rules<Details> = ({ clinic, email }) => ({
  clinic: clinic.trim() === '' && sentenceOf('CLINIC_NAME_MISSING'),
  email: email.trim() !== '' && !isEmail(email) && sentenceOf('INVALID_EMAIL'),
})

export function ClinicDetails({ clinic }: { clinic: Clinic }) {
  const save = useSaveClinic()
  const remove = useDeleteClinic()
  const { show } = useAlert()
  const [asking, ask] = useState(false)
  const [before, setBefore] = useState(clinic)
  // A draft belongs to a version, so that it doesn't overwrite what somebody else saved later.
  const draft = `clinic:${before.id}:${before.version}`
  const form = useForm({ rules: detailRules, defaults: detailsOf(clinic), draft })
  const list = useQuery(everyClinic)
  /** What somebody else saved first. */
  const [theirs, setTheirs] = useState<Details>()

  /** Sends only what was changed here, so that somebody else's changes stay. */
  async function send(typed: Details, begun: Clinic): Promise<void> {
    const known = detailsOf(begun)
    const changed = NAMES.filter((name) => typed[name] !== known[name])
    const sent = Object.fromEntries(changed.map((name) => [name, typed[name]]))
    try {
      setBefore(await save({ id: clinic.id, version: begun.version, ...sent }))
      setTheirs(undefined)
    } catch (refusal) {
      if ((refusal as Refusal).code !== 'CLINIC_CHANGED') throw refusal
      const now = (await list.refetch()).data?.find(({ id }) => id === clinic.id)
      if (!now) throw refusal
      const latest = detailsOf(now)
      for (const name of NAMES) if (!changed.includes(name)) form.hook.setValue(name, latest[name])
      if (changed.every((name) => latest[name] === known[name])) return send({ ...latest, ...sent }, now)
      setBefore(now)
      setTheirs(latest)
      throw { errors: [] } satisfies Refusal
    }
  }

  return (
    <>
      <Form
        form={form}
        className="stack max-w-160 gap-5"
        onSubmit={async (sent) => {
          await send(sent, before)
          show(`${sent.clinic.trim()} has been saved.`)
        }}
      >
        {theirs && (
          <ChangedMeanwhile
            changes={NAMES.filter((name) => theirs[name] !== form.hook.watch(name)).map((name) => ({
              label: FIELDS[name].label,
              now: theirs[name],
            }))}
            onTake={() => form.hook.setValues(theirs)}
          />
        )}
        {NAMES.map((name) => {
          const Field = name === 'comments' ? Textarea : TextField
          return <Field key={name} autoComplete="off" {...FIELDS[name]} {...form.field(name)} />
        })}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" busy={form.busy}>
            Save details
          </Button>
          <Button variant="text" icon="trash-2" onClick={() => ask(true)}>
            Delete clinic
          </Button>
        </div>
      </Form>
      {asking && (
        <ConfirmDialog
          title={`Delete ${clinic.clinic}?`}
          does="Delete clinic"
          doing="Deleting…"
          keeps="Keep it"
          onClose={() => ask(false)}
          onConfirm={async () => {
            await remove({ id: clinic.id })
            show(`${clinic.clinic} has been deleted.`)
          }}
        >
          <p>
            Its people will be signed out and can’t sign in again, and vets can’t record phone consults for it
            any more. Past consults are kept.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
