import { useEffect, useState } from 'react'
import { USER_TYPES } from '#contract/accounts.ts'
import type { Vet } from '#contract/vets.ts'
import { wrongEmail } from '../lib/rules.ts'
import { Button } from '../ui/button.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useFindPerson } from './queries.ts'
import { fullName, isVet, shortName } from './vet-words.ts'

/** How long the answer is shown, unless somebody is reading it. */
const STAYS_MS = 3000

/** Finds a person by email and says whether they're a vet, with a button that changes it. */
export function FindVet({
  found,
  onFound,
  onMake,
  onTurn,
  onInvite,
}: {
  /** Shown while its email is in the field. */
  found: Vet | undefined
  onFound: (person: Vet | undefined) => void
  onMake: (person: Vet) => void
  onTurn: (person: Vet) => void
  /** For an email without an account. */
  onInvite: (email: string) => void
}) {
  const find = useFindPerson()
  const form = useForm({ rules: ({ email }) => ({ email: wrongEmail(email) }), defaults: { email: '' } })
  const [unknown, setUnknown] = useState({ email: '', says: '' })
  const [says, setSays] = useState(false)
  const [held, hold] = useState(false)
  useEffect(() => {
    if (!says || held) return
    const timer = setTimeout(() => setSays(false), STAYS_MS)
    return () => clearTimeout(timer)
  }, [says, held])
  const email = form.hook.watch('email')
  const isFound = found?.email === email.trim().toLowerCase()

  return (
    <Form
      form={form}
      className="flex flex-wrap items-end gap-3"
      onSubmit={async (sent) => {
        onFound(undefined)
        const person = await find(sent).catch((error: unknown) => {
          const { code, errors } = error as Refusal
          if (code !== 'PERSON_UNKNOWN') throw error
          setUnknown({ email: sent.email, says: errors.join(' ') })
        })
        if (!person) return
        onFound(person)
        setSays(true)
      }}
    >
      <div className="w-full max-w-80">
        <TextField label="Person’s email" type="email" autoComplete="off" {...form.field('email')} />
      </div>
      <Button type="submit" busy={form.busy} busyLabel="Looking…">
        Look up
      </Button>
      {isFound ? (
        <div
          className="flex min-h-11 flex-wrap items-center gap-3"
          onMouseEnter={() => hold(true)}
          onMouseLeave={() => hold(false)}
          onFocus={() => hold(true)}
          onBlur={() => hold(false)}
        >
          <p role="status">{says && `${fullName(found)} is ${standingOf(found)}.`}</p>
          {found.type !== USER_TYPES.admin && (
            <Button variant="soft" size={44} onClick={() => (isVet(found) ? onTurn(found) : onMake(found))}>
              {isVet(found) ? `Make ${shortName(found)} an owner` : `Make ${shortName(found)} a vet`}
            </Button>
          )}
        </div>
      ) : (
        email !== '' &&
        unknown.email === email && (
          <div className="flex min-h-11 flex-wrap items-center gap-3">
            <p role="alert">{unknown.says}</p>
            <Button variant="soft" size={44} onClick={() => onInvite(email.trim())}>
              Invite them as a vet
            </Button>
          </div>
        )
      )}
    </Form>
  )
}

const standingOf = ({ type }: Vet) =>
  type === USER_TYPES.admin ? 'an admin' : type === USER_TYPES.vet ? 'a vet' : 'an owner'
