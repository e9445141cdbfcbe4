import { useState } from 'react'
import type { Room } from '#contract/consultations.ts'
import * as lengths from '#contract/lengths.ts'
import { useChangeGuestEmail } from './room-queries.ts'
import { wrongEmail } from '../lib/rules.ts'
import { suggestedEmail } from '../purchases/suggested-email.ts'
import { Button } from '../ui/button.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'

/** Where the plan and the link back are sent. A guest corrects a mistyped email here, an owner in their profile. */
export function SentTo({ room: { id, user, guest } }: { room: Room }) {
  const [changes, setChanges] = useState(false)
  const meant = suggestedEmail(user.email)
  const [name, ...host] = user.email.split('@')
  return (
    <div className="stack gap-2 py-2">
      <div className="flex min-h-10 items-center gap-3 leading-snug">
        <Icon name="mail" className="flex-none text-green" />
        <p className="min-w-0 flex-1">
          <span className="text-14 text-ink-soft">{say('We’ll send the vet’s plan to')}</span>
          <span className="block font-medium [overflow-wrap:anywhere]">
            {name}
            <wbr />@{host.join('@')}
          </span>
        </p>
        {guest ? (
          <Button
            variant="text"
            size={44}
            aria-expanded={changes}
            aria-label={say('Change the email address')}
            onClick={() => setChanges(!changes)}
          >
            {changes ? say('Keep it') : say('Change')}
          </Button>
        ) : (
          <Link href="/myaccount/profile" className="inline-flex min-h-11 items-center px-3 font-semi">
            {say('Change')}
          </Link>
        )}
      </div>
      {guest && meant && !changes && (
        <p className="text-14 font-medium text-amber-soft-ink">
          {say('Did you mean {email}?', { email: meant })}
        </p>
      )}
      {changes && <NewAddress id={id} email={meant ?? user.email} onDone={() => setChanges(false)} />}
    </div>
  )
}

function NewAddress({ id, email, onDone }: { id: number; email: string; onDone: () => void }) {
  const form = useForm({ rules: ({ email }) => ({ email: wrongEmail(email) }), defaults: { email } })
  const change = useChangeGuestEmail(id)
  return (
    <Form form={form} className="stack gap-3" onSubmit={(typed) => change(typed).then(onDone)}>
      <TextField
        label={say('Email')}
        type="email"
        maxLength={lengths.email}
        help={say('We’ll email the link to this consult there.')}
        {...form.field('email')}
        beside={
          <Button type="submit" variant="soft" busy={form.busy} busyLabel={say('Saving…')}>
            {say('Save')}
          </Button>
        }
      />
    </Form>
  )
}
