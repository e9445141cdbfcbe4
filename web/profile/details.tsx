import { useState } from 'react'
import { type User, USER_TYPES } from '#contract/accounts.ts'
import * as lengths from '#contract/lengths.ts'
import { NamePair } from '../lib/name-pair.tsx'
import { noNames, wrongPhone } from '../lib/rules.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FieldPair, Form, useForm } from '../ui/form.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { useSavedElsewhere } from '../ui/saved-elsewhere.ts'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { useUpdateMe } from './queries.ts'

const detailsOf = ({ firstName, lastName, mobile, postcode, address, user_clinic }: User) => ({
  firstName,
  lastName,
  mobile,
  postcode,
  address,
  user_clinic,
})

const asked = (typed: ReturnType<typeof detailsOf>) => ({
  ...noNames(typed),
  mobile: wrongPhone(typed.mobile),
})

const loadEmail = () => import('./email-dialog.tsx')

export function ProfileDetails({ user }: { user: User }) {
  const [changesEmail, setChangesEmail] = useState(false)
  const close = () => setChangesEmail(false)
  return (
    <Card aria-labelledby="details" className="stack gap-6">
      <h2 id="details" className="t22">
        {say('Your details')}
      </h2>
      <DetailsForm user={user} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line pt-6">
        <div className="min-w-0">
          <p className="font-semi">{say('Email')}</p>
          <p className="break-words text-ink-soft">{user.email}</p>
        </div>
        <Button size={44} onClick={() => setChangesEmail(true)}>
          {say('Change email')}
        </Button>
      </div>
      {changesEmail && (
        <LateDialog load={loadEmail} title={say('Change email')} onClose={close}>
          {({ EmailDialog }) => <EmailDialog onClose={close} />}
        </LateDialog>
      )}
    </Card>
  )
}

function DetailsForm({ user }: { user: User }) {
  const { show } = useAlert()
  const update = useUpdateMe()
  const isOwner = user.type === USER_TYPES.owner
  const saved = detailsOf(user)
  const form = useForm({ rules: asked, defaults: saved, draft: `profile:${user.id}` })
  useSavedElsewhere(form, saved)

  return (
    <Form
      form={form}
      className="stack gap-5"
      onSubmit={async (details) => {
        await update(details)
        show(say('Your details are saved.'))
      }}
    >
      <NamePair first={form.field('firstName')} last={form.field('lastName')} />
      <TextField
        label={say('Mobile number')}
        type="tel"
        maxLength={lengths.mobile}
        help={isOwner ? say('So a vet can call you if the connection drops.') : undefined}
        {...form.field('mobile')}
      />
      <TextField
        label={say('Address')}
        optional
        autoComplete="address-line1"
        maxLength={lengths.address}
        {...form.field('address')}
      />
      <FieldPair>
        <TextField
          label={say('Postcode')}
          optional
          autoComplete="postal-code"
          maxLength={lengths.postcode}
          {...form.field('postcode')}
        />
        {isOwner && (
          <TextField
            label={say('Your own vet clinic')}
            optional
            autoComplete="off"
            maxLength={lengths.clinic}
            {...form.field('user_clinic')}
          />
        )}
      </FieldPair>
      <div>
        <Button type="submit" variant="primary" busy={form.busy}>
          {say('Save details')}
        </Button>
      </div>
    </Form>
  )
}
