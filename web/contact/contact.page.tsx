import { type ActionFunctionArgs, data, redirect, useActionData, useLocation } from 'react-router'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import type { Input } from '#contract/call.ts'
import { CONTACT_REASONS, contactUs } from '#contract/contact.ts'
import { ERRORS, isFailure } from '#contract/errors.ts'
import * as lengths from '#contract/lengths.ts'
import { Island } from '../lib/island.tsx'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { useRegion } from '../lib/site.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Trap } from '../ui/trap.tsx'
import { More, useKeepsPromise } from '../shell/page-parts.tsx'
import { ContactWays } from '../shell/contact-ways.tsx'
import PersonCheck from './person-check.island.tsx'

export const meta = () =>
  pageMeta(
    'Contact us',
    'Write to VetChat about a consult, a membership, PawCare, privacy, or your clinic. A person will reply.',
  )

type Typed = Record<keyof Input<typeof contactUs>, string>

/**
 * A plain form, so that it works without scripts. With an error, the page returns with what was typed. Otherwise it has
 * another address, so that a reload doesn't send the message again.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  // Browsers send each line's end as two characters, and a message may be up to a number of characters long.
  const typed = Object.fromEntries(
    [...(await request.formData())].map(([name, value]) => [name, String(value).replaceAll('\r\n', '\n')]),
  ) as Typed
  try {
    await pageOf(context).ask(contactUs, typed)
    return redirect('/contact?sent', 303)
  } catch (error) {
    if (!isFailure(error)) throw error
    const { fields = {}, errors = [error.message] } = error.details
    const beside = Object.values(fields)
    const refused: Refused = { typed, fields, errors: errors.filter((said) => !beside.includes(said)) }
    return data(refused, { status: ERRORS[error.code].status })
  }
}

export default function Contact() {
  const answer = useActionData<typeof action>()
  const isSent = new URLSearchParams(useLocation().search).has('sent')
  return (
    <div className="wrap grid grid-cols-[minmax(0,1fr)] items-start gap-8 pt-8 pb-(--section) lg:grid-cols-[minmax(0,1fr)_360px] lg:grid-rows-[auto_auto_1fr] lg:gap-x-20 lg:pt-16">
      <div className="stack gap-3">
        <h1 className="t48">Write to us</h1>
        <p className="lead">A person will read it and reply by email.</p>
        <ContactWays className="font-medium" />
      </div>
      <Unwell />
      <div className="max-w-measure lg:row-span-2 lg:row-start-2">
        {isSent ? <Sent /> : <Form answer={answer} />}
      </div>
      <Beside />
    </div>
  )
}

const Sent = () => (
  <div className="stack gap-5">
    <Note tone="info" role="status" icon="circle-check" title="Thank you. Your message has been sent.">
      A person will read it and reply by email.
    </Note>
    <div>
      <LinkButton href="/faq">Read the FAQ meanwhile</LinkButton>
    </div>
  </div>
)

type Refused = { typed: Typed; fields: Record<string, string>; errors: string[] }

function Form({ answer }: { answer: Refused | undefined }) {
  const { phoneExample } = useRegion()
  const { typed, fields = {}, errors = [] } = answer ?? {}
  const wrong = Object.values(fields).length > 0
  const field = (name: keyof Typed) => ({
    name,
    defaultValue: typed?.[name],
    error: fields[name],
    autoFocus: wrong && Object.keys(fields)[0] === name,
  })
  const { error: _, ...body } = field('body')
  return (
    <form method="post" noValidate className="stack gap-5">
      {(wrong || errors.length > 0) && (
        <Note
          tone="bad"
          role="alert"
          title={wrong ? 'Please check what’s marked below.' : 'Your message wasn’t sent.'}
        >
          {errors.join(' ')}
        </Note>
      )}
      <Select label="What is it about?" {...field('queryAbout')} defaultValue={typed?.queryAbout ?? ''}>
        <option value="">Choose one</option>
        {Object.entries(CONTACT_REASONS).map(([value, said]) => (
          <option key={value} value={value}>
            {said}
          </option>
        ))}
      </Select>
      <TextField label="Name" autoComplete="name" maxLength={lengths.fullName} {...field('name')} />
      <TextField label="Email" type="email" maxLength={lengths.email} {...field('email')} />
      <TextField
        label="Mobile"
        type="tel"
        optional
        help={`For example, ${phoneExample}`}
        maxLength={lengths.mobile}
        {...field('mobile')}
      />
      <TextField
        label="Veterinary clinic or company"
        help="Needed for clinic triage and partnership"
        autoComplete="organization"
        maxLength={lengths.company}
        {...field('clinicOrCompany')}
      />
      <Field label="Message" error={fields['body']}>
        {(wiring) => (
          <textarea
            {...wiring}
            {...body}
            rows={6}
            className="control block max-h-[60vh] min-h-40 resize-y field-sizing-content"
          />
        )}
      </Field>
      <Trap />
      <Island name="person-check" of={PersonCheck} props={{}} />
      <div>
        <Button type="submit" variant="primary" size={56}>
          Send my message
        </Button>
      </div>
    </form>
  )
}

/** Above the form on a phone, because people who need a vet shouldn't write to us first. */
function Unwell() {
  const isSoon = useKeepsPromise()
  return (
    <aside
      aria-label="Is your pet unwell now?"
      className="stack gap-2 rounded-card bg-coral-soft p-4 text-coral-soft-ink lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:p-5"
    >
      <p className="flex items-center gap-2 font-semi">
        <Icon name="siren" />
        Is your pet unwell now?
      </p>
      <p>
        {isSoon
          ? `Don’t wait for an email. A vet will join you within ${PROMISED_MINUTES} minutes, or go to an open clinic.`
          : 'Don’t wait for an email. Go to an open clinic, or see how long a vet would take to join you.'}{' '}
        <Link href="/how-it-works#hiw-pricing2" className="font-semi text-inherit">
          Talk to a vet now
        </Link>
      </p>
    </aside>
  )
}

const Beside = () => (
  <aside
    aria-label="Other ways"
    className="stack gap-6 border-t border-line pt-8 lg:col-start-2 lg:row-start-3 lg:border-0 lg:pt-0"
  >
    <div className="stack gap-2">
      <h2 className="t18">Cancel a membership</h2>
      <p className="text-ink-soft">
        In My account, with one click. Or write to us here and a person will do it for you.
      </p>
      <More href="/myaccount">My account</More>
    </div>
    <div className="stack gap-2">
      <h2 className="t18">For clinics</h2>
      <p className="text-ink-soft">Choose Clinic triage in the form and name your clinic.</p>
      <More href="/vet-clinic">Clinic triage</More>
    </div>
  </aside>
)
