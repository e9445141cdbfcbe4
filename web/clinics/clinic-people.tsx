import { useState } from 'react'
import { type Clinic, CLINIC_PASSWORD_RULE, isUsername } from '#contract/clinics.ts'
import { sentenceOf } from '#contract/errors.ts'
import * as lengths from '#contract/lengths.ts'
import { CallButton } from '../lib/call-button.tsx'
import { wrongEmail } from '../lib/rules.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import type { Rules } from '../ui/form-state.ts'
import { Form, useForm } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { TwoLines } from '../ui/work-table.tsx'
import { useAddClinicPerson, useInviteClinic, useRemoveClinicPerson, useSetCredentials } from './queries.ts'

/** Who can sign in to the portal: the clinic with its username, and its people with their own emails. */
export const ClinicPeople = ({ clinic }: { clinic: Clinic }) => (
  <div className="grid items-start gap-6 min-[80rem]:grid-cols-2">
    <Credentials clinic={clinic} />
    <People clinic={clinic} />
  </div>
)

function Credentials({ clinic }: { clinic: Clinic }) {
  const set = useSetCredentials()
  const invite = useInviteClinic()
  const { show } = useAlert()
  const form = useForm({
    rules: ({ username, password }) => ({
      username: !isUsername(username) && sentenceOf('USERNAME_SHORT'),
      password: password !== '' && !CLINIC_PASSWORD_RULE.met(password) && sentenceOf('CLINIC_PASSWORD_SHORT'),
    }),
    defaults: { username: clinic.username ?? '', password: '' },
  })
  const missing =
    clinic.email === '' ? 'the clinic’s email' : clinic.username === null ? 'a username' : undefined
  return (
    <section
      aria-label="The clinic’s own sign-in"
      className="stack gap-4 rounded-card border border-line bg-card p-5"
    >
      <div>
        <h3 className="t18">The clinic’s own sign-in</h3>
        <p className="text-14 text-ink-soft">
          {clinic.has_password ? 'It has a password.' : 'It has no password yet.'} Everyone who uses it
          appears under the clinic’s name.
        </p>
      </div>
      <Form
        form={form}
        className="stack gap-4"
        onSubmit={async ({ username, password }) => {
          await set({ id: clinic.id, username, password: password || undefined })
          form.hook.setValue('password', '')
          show(password ? 'Username and password have been set.' : 'The username has been set.')
        }}
      >
        <TextField
          label="Username"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={lengths.name}
          {...form.field('username')}
        />
        <PasswordField
          label="New password"
          optional
          autoComplete="new-password"
          help="At least 8 characters. Setting one signs out everyone who used the old one."
          {...form.field('password')}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" size={36} variant="primary" busy={form.busy}>
            Save sign-in
          </Button>
          {!missing && (
            <CallButton
              size={36}
              icon="mail"
              busyLabel="Sending…"
              call={invite}
              input={{ id: clinic.id }}
              onDone={({ emailed }) => `A link has been sent to ${emailed}.`}
            >
              Email a link instead
            </CallButton>
          )}
        </div>
        <p className="text-14 text-ink-soft">
          {missing
            ? `Add ${missing} first, then we can email the clinic a link to set its own password.`
            : `We’ll send the link to ${clinic.email}. It works for 48 hours.`}
        </p>
      </Form>
    </section>
  )
}

const personRules: Rules<{ name: string; email: string }> = ({ name, email }) => ({
  name: name.trim() === '' && sentenceOf('CLINIC_PERSON_NAME_MISSING'),
  email: wrongEmail(email),
})

function People({ clinic }: { clinic: Clinic }) {
  const add = useAddClinicPerson()
  const remove = useRemoveClinicPerson()
  const invite = useInviteClinic()
  const { show } = useAlert()
  const [leaving, ask] = useState<Clinic['people'][number]>()
  const form = useForm({ rules: personRules, defaults: { name: '', email: '' } })
  return (
    <section aria-label="People" className="stack gap-4 rounded-card border border-line bg-card p-5">
      <div>
        <h3 className="t18">People</h3>
        <p className="text-14 text-ink-soft">
          Each person signs in with their own email, so the clinic can see who confirmed what.
        </p>
      </div>
      {clinic.people.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {clinic.people.map((person) => (
            <li key={person.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
              <TwoLines
                bold
                first={person.name}
                then={person.has_password ? person.email : `${person.email}, no password yet`}
              />
              <span className="flex flex-wrap gap-2">
                <CallButton
                  size={36}
                  variant="text"
                  aria-label={`Email a link: ${person.name}`}
                  call={invite}
                  input={{ id: clinic.id, person: person.id }}
                  onDone={({ emailed }) => `A link has been sent to ${emailed}.`}
                >
                  Email a link
                </CallButton>
                <Button
                  size={36}
                  variant="text"
                  aria-label={`Remove ${person.name}`}
                  onClick={() => ask(person)}
                >
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <Form
        form={form}
        className="stack gap-4"
        onSubmit={async (sent) => {
          await add({ id: clinic.id, ...sent })
          form.hook.setValues({ name: '', email: '' })
          show(`A link has been sent to ${sent.email.trim()}.`)
        }}
      >
        <TextField label="Name" autoComplete="off" maxLength={lengths.fullName} {...form.field('name')} />
        <TextField label="Email" type="email" autoComplete="off" {...form.field('email')} />
        <div>
          <Button type="submit" size={36} icon="plus" busy={form.busy} busyLabel="Adding…">
            Add person
          </Button>
        </div>
      </Form>
      {leaving && (
        <ConfirmDialog
          title={`Remove ${leaving.name}?`}
          does="Remove"
          doing="Removing…"
          keeps="Keep them"
          onClose={() => ask(undefined)}
          onConfirm={async () => {
            await remove({ id: clinic.id, person: leaving.id })
            return `${leaving.name} has been removed.`
          }}
        >
          <p>They’re signed out and can’t sign in again. Their name stays on what they confirmed.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
