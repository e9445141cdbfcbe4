import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { USER_TYPES } from '#contract/accounts.ts'
import { isEmail } from '#contract/fields.ts'
import type { AuditEntry } from '#contract/logs.ts'
import { findPeople } from '#contract/people.ts'
import { CURRENCY_IDS, money } from '#contract/regions.ts'
import { api } from '../lib/api.ts'
import { dayAndTime } from '../lib/dates.ts'
import { DayFields, daysIn, wrongDays } from './day-range.tsx'
import { useHashFilters } from '../lib/hash-filters.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Form, useAskedFor, useForm } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { ViewHead } from '../ui/view-frame.tsx'
import { TwoLines, WorkCell, WorkList, WorkRow } from '../ui/work-table.tsx'
import { audit, auditFilters } from './queries.ts'

const NUMBER = /^[1-9]\d{0,8}$/

/** What staff read and changed. The filters are in the address. */
export default function AuditLog() {
  const { asked, ask } = useHashFilters()
  const numberIn = (name: string) => (NUMBER.test(asked.get(name) ?? '') ? asked.get(name)! : '')
  const filters = {
    person: numberIn('person'),
    by: numberIn('by'),
    action: asked.get('action') ?? '',
    ...daysIn(asked),
  }
  const { person, by, action, from, to } = filters
  const list = useInfiniteQuery(
    audit({
      person: Number(person) || undefined,
      by: Number(by) || undefined,
      action: action || undefined,
      from: from || undefined,
      to: to || undefined,
    }),
  )
  const isFiltered = Object.values(filters).some(Boolean)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <ViewHead
        title="Audit log"
        heading={heading}
        action={
          isFiltered && (
            <Button
              size={36}
              onClick={() => {
                ask({})
                heading.current?.focus()
              }}
            >
              Show everything
            </Button>
          )
        }
      />
      <Filters asked={filters} onAsk={ask} />
      <WorkList
        list={list}
        rowsOf={(page) => page.entries}
        what="the audit log"
        empty={
          <Empty scene="empty-no-consults" title={isFiltered ? 'Nothing matches' : 'Nothing recorded yet'}>
            {isFiltered
              ? 'Choose fewer filters, or other days.'
              : 'What staff open and change will appear here.'}
          </Empty>
        }
        caption="Audit log, newest first"
        columns={[
          { says: 'When', className: 'w-44' },
          { says: 'Who', className: 'w-48' },
          { says: 'What' },
          { says: 'About', className: 'w-48' },
          { says: 'Why' },
        ]}
      >
        {(entry) => <Row key={entry.id} entry={entry} />}
      </WorkList>
    </>
  )
}

type Asked = Record<'person' | 'by' | 'action' | 'from' | 'to', string>

/** An email is looked up first, so that the address only contains the person's number. */
function Filters({ asked, onAsk }: { asked: Asked; onAsk: (filters: Asked) => void }) {
  const choices = useQuery(auditFilters)
  // Until the choices have loaded, the requested value is the only option: a select loses a value that it has no option for.
  const { staff, actions } = choices.data ?? {
    staff: asked.by ? [{ id: Number(asked.by), name: `Person ${asked.by}` }] : [],
    actions: asked.action ? [asked.action] : [],
  }
  const form = useForm({
    rules: ({ person, ...days }) => ({
      person:
        person.trim() !== '' &&
        !NUMBER.test(person.trim()) &&
        !isEmail(person) &&
        'Enter their number or their full email address.',
      ...wrongDays(days, 'Choose a later day.'),
    }),
    defaults: asked,
  })
  useAskedFor(form, asked)
  return (
    <Form
      form={form}
      role="search"
      onSubmit={async (typed) => {
        const person = typed.person.trim()
        onAsk({ ...typed, person: isEmail(person) ? await numberOf(person) : person })
      }}
    >
      <div className="grid items-start gap-3 sm:grid-cols-2 min-[60rem]:grid-cols-[minmax(0,1.4fr)_repeat(2,minmax(0,1.2fr))_repeat(2,minmax(0,1fr))] min-[80rem]:grid-cols-[minmax(0,1.4fr)_repeat(2,minmax(0,1.2fr))_repeat(2,minmax(0,1fr))_auto]">
        <TextField label="Person" help="Number or email" autoComplete="off" {...form.field('person')} />
        <Select
          label="By"
          key={`by ${choices.isSuccess}`}
          options={staff.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('by')}
        >
          <option value="">Anybody</option>
        </Select>
        <Select
          label="Action"
          key={`action ${choices.isSuccess}`}
          options={actions.map((value) => ({ value, label: asSentence(value) }))}
          {...form.field('action')}
        >
          <option value="">Any</option>
        </Select>
        <DayFields form={form} />
        <div className="min-[80rem]:mt-[calc(1.375em+8px)]">
          <Button type="submit" busy={form.busy} busyLabel="Searching…">
            Search
          </Button>
        </div>
      </div>
    </Form>
  )
}

async function numberOf(email: string) {
  const { people } = await api(findPeople, { q: email })
  const exact = people.filter((one) => one.email === email.trim().toLowerCase())
  if (exact.length === 0) throw refused('There’s no account with this email.')
  if (exact.length > 1)
    throw refused('Several people share this email. Open theirs under Members, then Audit log.')
  return String(exact[0]!.id)
}
const refused = (words: string) => ({ errors: [words], fields: { person: words } })

const asSentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

const SUBJECTS: Record<string, string> = { charge: 'receipt VC-', consultation: 'consult ', user: 'person ' }

/** What the entry is about, with a link if it has a page. */
function About({ entry: { subject, subject_id, person, clinic } }: { entry: AuditEntry }) {
  const thing = `${SUBJECTS[subject] ?? `${subject} `}${subject_id}`
  if (clinic?.name) return <Link href={`/admin/clinics?clinic=${clinic.id}`}>{clinic.name}</Link>
  if (!person) return <span className="text-ink-soft">{asSentence(thing)}</span>
  return (
    <TwoLines
      first={<Link href={`/admin/members/${person.id}`}>{person.name || `Person ${person.id}`}</Link>}
      then={subject !== 'user' && asSentence(thing)}
    />
  )
}

function Row({ entry }: { entry: AuditEntry }) {
  const { at, by, action, reason, details } = entry
  const more = detailsSaid(action, details)
  return (
    <WorkRow>
      <WorkCell className="text-14 tabular-nums cards:order-2 cards:col-span-2 cards:text-right cards:text-ink-soft">
        {dayAndTime(at)}
      </WorkCell>
      <WorkCell className="cards:order-1 cards:font-semi">{by ? by.name : 'VetChat'}</WorkCell>
      <WorkCell className="cards:order-3 cards:col-span-3">
        <TwoLines first={asSentence(action)} then={more} />
      </WorkCell>
      <WorkCell className="cards:order-4 cards:col-span-3">
        <About entry={entry} />
      </WorkCell>
      <WorkCell className="text-14 cards:order-5 cards:col-span-3 cards:empty:hidden">{reason}</WorkCell>
    </WorkRow>
  )
}

const MOST_DETAILS = 160

const TYPES = new Map<unknown, string>([
  [USER_TYPES.owner, 'user'],
  [USER_TYPES.vet, 'vet'],
  [USER_TYPES.admin, 'admin'],
])
const TIME = /^\d{4}-\d\d-\d\dT/

interface Change {
  was: unknown
  now: unknown
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const isChange = (value: unknown): value is Change => isObject(value) && 'was' in value && 'now' in value

/** "021 555 0140 to 021 555 0141", or which parts of a larger thing changed: "mon, sat". */
function changeSaid({ was, now }: Change): string {
  if (!isObject(was) || !isObject(now)) return `${was || 'nothing'} to ${now || 'nothing'}`
  if (Array.isArray(now)) return 'changed'
  return Object.keys(now)
    .filter((part) => JSON.stringify(was[part]) !== JSON.stringify(now[part]))
    .join(', ')
}

/** "file: daily.csv, until: Tue 24 Nov, 10:00": the details of an action. */
function detailsSaid(action: string, { amount, currency, from, ...others }: Record<string, unknown>) {
  const paid = CURRENCY_IDS.find((id) => id === currency)
  const sum = paid && typeof amount === 'number' ? [money(amount, paid)] : []
  const rest = Object.entries({ ...(from !== undefined && { from }), ...others })
    // The refund's own number isn't needed, because the receipt has one too. The person has a separate column.
    .filter(
      ([name, value]) =>
        name !== 'refund' &&
        name !== 'by' &&
        value !== null &&
        value !== '' &&
        (typeof value !== 'object' || isChange(value)),
    )
    .map(([name, value]) => {
      const words = name.replace(/_|(?=[A-Z])/g, ' ').toLowerCase()
      if (isChange(value)) return `${words}: ${changeSaid(value)}`
      if (typeof value === 'string' && TIME.test(value)) return `${words}: ${dayAndTime(value)}`
      return `${words}: ${action === 'type changed' ? (TYPES.get(value) ?? value) : value}`
    })
  const said = [...sum, ...rest].join(', ')
  return said.length > MOST_DETAILS ? `${said.slice(0, MOST_DETAILS)}…` : said
}
