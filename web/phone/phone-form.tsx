import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import type { Output } from '#contract/call.ts'
import { listSpecies } from '#contract/pets.ts'
import { MINUTE } from '#contract/time.ts'
import { useNavigate } from 'react-router'
import { OpenCases } from '../escalation/open-cases.tsx'
import { openEscalations } from '../escalation/queries.ts'
import { time, timeOrDay } from '../lib/dates.ts'
import { query } from '../lib/queries.ts'
import { now } from '../lib/session.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Key } from '../ui/key.tsx'
import { Note } from '../ui/note.tsx'
import { ViewLoading } from '../ui/view-frame.tsx'
import { ContactCard, type PhoneClinic } from './contact-card.tsx'
import { CallFields, CaseFields } from './phone-fields.tsx'
import { type DraftState, keptInTab, openPhoneDraft } from './phone-draft.ts'
import { draftFrom, NOTHING_TYPED, phoneRules, type Typed, typedFrom } from './phone-rules.ts'
import { myPhoneDraft, phoneClinics, useDropPhoneDraft, useRecordPhone } from './queries.ts'

interface Recorded {
  id: number
  clinic: string
  /** How the clinic hears of it. */
  says: string
}

/** Records a phone consult, then begins the next one. Admins also say which vet took the call. */
export function PhoneConsult({ asksVet }: { asksVet: boolean }) {
  const clinics = useQuery(phoneClinics)
  const draft = useQuery(myPhoneDraft)
  const species = useQuery(query(listSpecies, {}))
  // The open cases are above the form, which would move down if they appeared later.
  const open = useQuery(openEscalations)
  const waits = open.isPending && open.failureCount === 0
  const [begun, begin] = useState<string>()
  const [fresh] = useState(() => crypto.randomUUID())
  const [recorded, setRecorded] = useState<Recorded>()

  const needed = [clinics, draft, species]
  const isError = needed.some((one) => one.isError && one.data === undefined)
  const refetch = () => Promise.all(needed.map((one) => one.refetch()))
  if (!clinics.data || !species.data || waits || draft.data === undefined || (draft.isFetching && !begun))
    return (
      <div className="stack gap-5">
        <h1 className="text-28">Phone consult</h1>
        <ViewLoading of={{ isError, refetch }} what="the form" />
      </div>
    )
  const tab = begun ? undefined : keptInTab()
  const server = begun ? null : draft.data
  const key = begun ?? tab?.key ?? server?.key ?? fresh
  // What this tab hasn't sent yet is newer than what the server has.
  const typed = tab?.typed ?? (server ? typedFrom(server.fields) : NOTHING_TYPED)
  return (
    <PhoneForm
      key={begun ?? 'first'}
      formKey={key}
      first={{ ...NOTHING_TYPED, ...typed }}
      started={server?.key === key ? server.started_at : undefined}
      isUnsent={tab !== undefined}
      savedBefore={tab || !server ? undefined : { saved: server.saved_at, read: server.read }}
      clinics={clinics.data}
      species={species.data}
      asksVet={asksVet}
      recorded={recorded}
      onNext={(done) => {
        setRecorded(done)
        begin(crypto.randomUUID())
      }}
    />
  )
}

/** A mail about a night's consult may wait until the morning. */
function toldSays(mailedAt: string | null, notify: PhoneClinic['notify'] | undefined) {
  if (mailedAt === null)
    return notify === 'never'
      ? 'The clinic has no email and no portal, so tell them yourself if they need to know.'
      : 'The clinic has no email. It sees the case in its portal.'
  return Date.parse(mailedAt) - now() > MINUTE
    ? `The clinic sees the case in its portal. We’ll email it in the morning, ${timeOrDay(mailedAt)}.`
    : 'We’ve emailed the clinic, and it sees the case in its portal.'
}

function saysOf(state: DraftState) {
  if (state === 'nothing') return ''
  if (state === 'saving') return 'Saving draft…'
  return state === 'kept here' ? 'Draft kept on this computer' : `Draft saved ${time(state.saved)}`
}

function saveSays(decision: string, clinic: PhoneClinic | undefined): string {
  const first = clinic?.chain[0]
  if (decision === 'contact' && first) return `Save and call ${first.vetName || first.contact}`
  return clinic?.notify === 'never' ? 'Save consult' : 'Save and tell the clinic'
}

function PhoneForm({
  formKey,
  first,
  started,
  isUnsent,
  savedBefore,
  clinics,
  species,
  asksVet,
  recorded,
  onNext,
}: {
  formKey: string
  first: Typed
  started: string | undefined
  /** The server doesn't have these texts yet. */
  isUnsent: boolean
  savedBefore: Exclude<DraftState, string> | undefined
  clinics: PhoneClinic[]
  species: Output<typeof listSpecies>
  asksVet: boolean
  recorded: Recorded | undefined
  onNext: (done: Recorded | undefined) => void
}) {
  const record = useRecordPhone()
  const drop = useDropPhoneDraft()
  const navigate = useNavigate()
  const form = useForm({ rules: phoneRules(asksVet), defaults: first })
  const [draft] = useState(() => openPhoneDraft(formKey))
  const [standing, setStanding] = useState<DraftState>(savedBefore ?? 'nothing')
  const [read, setRead] = useState(savedBefore?.read ?? null)
  const [startedAt] = useState(() => started ?? new Date(now()).toISOString())
  const [asks, setAsks] = useState(false)
  const clinicId = form.fieldId('clinic')
  const { hook } = form
  const typed = { ...first, ...hook.watch() }
  const clinic = clinics.find(({ id }) => String(id) === typed.clinic)

  const beginAnew = useEffectEvent(() => onNext(undefined))
  useEffect(
    () =>
      draft.watch(
        (state) => {
          setStanding(state)
          if (typeof state === 'object') setRead(state.read)
        },
        () => beginAnew(),
      ),
    [draft],
  )
  useEffect(() => {
    if (isUnsent) draft.keep(first)
  }, [isUnsent, draft, first])
  useEffect(() => hook.subscribe((values) => draft.keep({ ...first, ...values })), [hook, first, draft])
  useEffect(() => {
    const field = document.getElementById(clinicId) as HTMLInputElement
    field.focus()
    // Selects the text as Tab does, so that a long name shows its beginning.
    field.select()
  }, [clinicId])

  const saveByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    const element = document.getElementById(form.id)
    if (element instanceof HTMLFormElement) element.requestSubmit()
  }
  const isEmpty = Object.values(typed).every((text) => text === '')

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Ctrl Enter saves from every field inside
    <div className="stack gap-5" onKeyDown={saveByKey}>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="text-28">Phone consult</h1>
        <p role="status" className="text-14 text-ink-soft tabular-nums">
          {!isEmpty && [`Started ${timeOrDay(startedAt)}`, saysOf(standing)].filter(Boolean).join('. ')}
        </p>
        <p
          aria-hidden="true"
          className="ml-auto flex flex-wrap items-center gap-2 text-14 text-ink-soft cards:hidden pointer-coarse:hidden"
        >
          <Key>Tab</Key> next <Key>1</Key> to <Key>4</Key> choose <Key>Ctrl Enter</Key> save
        </p>
      </div>
      {recorded && isEmpty && (
        <Note
          tone="info"
          role="status"
          icon="circle-check"
          title={`Recorded as No. ${recorded.id} for ${recorded.clinic}`}
        >
          {recorded.says}
        </Note>
      )}
      {isEmpty && <OpenCases />}
      {clinics.length === 0 && (
        <Note tone="info" title="There are no clinics yet">
          An admin adds them under Clinics. Then you can record phone consults for them.
        </Note>
      )}
      <div className="grid items-start gap-5 min-[68.75rem]:grid-cols-[minmax(0,1fr)_22rem]">
        <Form
          form={form}
          aria-label="Phone consult"
          className="stack gap-4"
          onSubmit={async (values) => {
            const typed = draftFrom(values)
            const {
              consultation,
              clinic: name,
              mailed_at,
            } = await record({
              ...typed,
              key: formKey,
              clinic: typed.clinic!,
              urgency: typed.urgency!,
              decision: typed.decision!,
            })
            draft.stop()
            // The contact is being called, and the vet can follow it.
            if (values.decision === 'contact') return void navigate(`/phone/${consultation.id}`)
            onNext({ id: consultation.id, clinic: name, says: toldSays(mailed_at, clinic?.notify) })
          }}
        >
          <div className="divide-y divide-line rounded-card border border-line bg-card [&>*]:p-5">
            <CallFields form={form} clinics={clinics} clinic={clinic} species={species} asksVet={asksVet} />
            <CaseFields form={form} typed={typed} read={read} />
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              type="submit"
              variant="primary"
              busy={form.busy}
              busyLabel="Saving…"
              icon={typed.decision === 'contact' ? 'phone-call' : undefined}
            >
              {saveSays(typed.decision, clinic)}
            </Button>
            {!isEmpty && (
              <Button variant="text" onClick={() => setAsks(true)}>
                Discard
              </Button>
            )}
            <p className="ml-auto text-14 text-ink-soft max-sm:ml-0">{clinic && toldWhen(clinic)}</p>
          </div>
        </Form>
        <ContactCard clinic={clinic} />
      </div>
      {asks && (
        <ConfirmDialog
          title="Discard this form?"
          does="Discard"
          doing="Discarding…"
          keeps="Keep it"
          onConfirm={async () => {
            draft.stop()
            drop.mutate({})
            onNext(undefined)
          }}
          onClose={() => setAsks(false)}
        >
          <p>This deletes what you’ve written about the call. You can’t get it back.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

const toldWhen = ({ notify }: PhoneClinic) =>
  notify === 'never'
    ? 'This clinic has no email and no portal'
    : notify === 'straight away'
      ? 'The clinic sees this case straight away'
      : 'In its portal straight away, by email in the morning'
