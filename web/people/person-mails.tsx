import type { Person } from '#contract/people.ts'
import { CallButton } from '../lib/call-button.tsx'
import { dayAndTime } from '../lib/dates.ts'
import { hashOf } from '../lib/hash-filters.ts'
import { MailState } from '../logs/mail-state.tsx'
import { Link } from '../ui/link.tsx'
import { countSaid } from './person-words.ts'
import { TwoLines } from '../ui/work-table.tsx'
import { useResendToPerson } from './queries.ts'
import { Rows, Section } from '../ui/section.tsx'

/** Subjects and states only: a mail's text may contain a code or a link. */
export function PersonMails({ person }: { person: Person }) {
  const { latest } = person.mails
  const isKept = latest.every(({ resendable, state }) => resendable || state === 'waiting')
  return (
    <Section
      title="Emails"
      said={countSaid(person.mails)}
      aside={
        <Link
          href={`/admin/mail${hashOf({ to: person.email })}`}
          className="text-14 font-semi pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
        >
          Email log
        </Link>
      }
    >
      <Rows of={latest} none="We haven’t written to them yet.">
        {(mail) => <Row key={mail.id} person={person} mail={mail} />}
      </Rows>
      {!isKept && (
        <p className="px-5 py-3 text-14 text-ink-soft">
          The text of a delivered email is erased, because it may hold a code or a link. A receipt is made
          again from our records.
        </p>
      )}
    </Section>
  )
}

function Row({ person, mail }: { person: Person; mail: Person['mails']['latest'][number] }) {
  const resend = useResendToPerson()
  const { id, at, to, subject, resendable } = mail
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-5 py-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,12rem)_5.75rem]">
      <TwoLines
        bold
        first={subject}
        then={to === person.email ? dayAndTime(at) : `${dayAndTime(at)}, to ${to}`}
      />
      <div className="max-sm:order-last max-sm:col-span-2 sm:text-right">
        <MailState mail={mail} />
      </div>
      <div className="justify-self-end">
        {resendable && (
          <CallButton
            size={36}
            aria-label={`Resend: ${subject}`}
            call={resend}
            input={{ id: person.id, mail: id }}
            onDone={(answer) => `“${subject}” is on its way to ${answer.to}.`}
          >
            Resend
          </CallButton>
        )}
      </div>
    </li>
  )
}
