import { useQuery } from '@tanstack/react-query'
import { sentenceOf } from '#contract/errors.ts'
import * as lengths from '#contract/lengths.ts'
import type { RulesVersion } from '#contract/urgency.ts'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { replayOf, useMakeLive, useNoteReview } from './rules-queries.ts'

const reviewRules = ({ vet_id }: { vet_id: string }) => ({
  vet_id: !vet_id && sentenceOf('RULES_REVIEWER'),
})

export function ReviewDialog({
  version,
  vets,
  onClose,
}: {
  version: string
  vets: { id: number; name: string; registration: string }[]
  onClose: () => void
}) {
  const note = useNoteReview()
  const form = useForm({ rules: reviewRules, defaults: { vet_id: '' } })
  return (
    <FormDialog
      small
      title={`Who reviewed version ${version}?`}
      form={form}
      does="Record the review"
      onClose={onClose}
      onSubmit={async ({ vet_id }) => {
        await note({ version, vet_id: Number(vet_id) })
        return 'The review has been recorded.'
      }}
    >
      <p>
        The vet has read every sign, its level, its advice and its words. Owners see the vet’s name and
        number, and today’s date. This is recorded in the audit log under your name.
      </p>
      <Select label="Vet" {...form.field('vet_id')}>
        <option value="">Choose one</option>
        {vets.map(({ id, name, registration }) => (
          <option key={id} value={String(id)}>
            {name}, {registration}
          </option>
        ))}
      </Select>
    </FormDialog>
  )
}

const liveRules = ({ reason }: { reason: string }) => ({
  reason: !reason.trim() && sentenceOf('LEVEL_REASON_MISSING'),
})

/** Says first what gets worse, and then makes a version live or asks a second admin to. */
export function LiveDialog({
  one,
  live,
  asks,
  onClose,
}: {
  one: RulesVersion
  live: string
  /** Whether a second admin has to confirm. */
  asks: boolean
  onClose: () => void
}) {
  const { version, reviewed, added, removed } = one
  const make = useMakeLive()
  const form = useForm({ rules: liveRules, defaults: { reason: '' } })
  const [now, before] = [useQuery(replayOf(version)).data, useQuery(replayOf(live)).data]
  const worse =
    now && before
      ? now.signs
          .map((sign) => {
            const old = before.signs.find((one) => one.sign === sign.sign)
            return {
              says: sign.says,
              missed: sign.missed - (old?.missed ?? 0),
              alarms: sign.false_alarms - (old?.false_alarms ?? 0),
            }
          })
          .filter(({ missed, alarms }) => missed > 0 || alarms > 0)
          .toSorted((a, b) => b.missed - a.missed || b.alarms - a.alarms)
          .slice(0, 3)
      : []
  return (
    <FormDialog
      small
      title={
        one.was_live
          ? `Return to version ${version}?`
          : asks
            ? `Ask for version ${version}?`
            : `Make version ${version} live?`
      }
      form={form}
      does={asks ? 'Ask a second admin' : `Make version ${version} live`}
      keeps="Not yet"
      onClose={onClose}
      onSubmit={async ({ reason }) => {
        const done = await make({ version, reason: reason.trim() })
        return !done.live
          ? 'A second admin can confirm it now, on this page.'
          : asks
            ? `Another admin had asked for it too, so version ${version} is live.`
            : `Version ${version} is live.`
      }}
    >
      {worse.length > 0 && (
        <ul className="stack gap-2 rounded-card bg-amber-soft p-4 text-amber-soft-ink">
          {worse.map(({ says, missed, alarms }) => (
            <li key={says}>
              <strong className="font-semi">{says}:</strong>{' '}
              {[missed > 0 && `${missed} more missed`, alarms > 0 && `${alarms} more false alarms`]
                .filter(Boolean)
                .join(', ')}
            </li>
          ))}
        </ul>
      )}
      <p>
        Every consult that starts from then on is read by version {version}. Open consults keep the level they
        have. Version {live} stays, and you can make it live again here straight away.
      </p>
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 text-14">
        {now && before && (
          <>
            <dt className="text-ink-soft">Missed, in the replay</dt>
            <dd className="tabular-nums">
              {before.missed} to {now.missed}
            </dd>
            <dt className="text-ink-soft">False alarms</dt>
            <dd className="tabular-nums">
              {before.false_alarms} to {now.false_alarms}
            </dd>
          </>
        )}
        <dt className="text-ink-soft">Phrases compared with the version before</dt>
        <dd>
          {added} added, {removed} taken out
        </dd>
        <dt className="text-ink-soft">Reviewed by</dt>
        <dd>{reviewed?.name ?? 'Nobody'}</dd>
      </dl>
      <TextField label="Why now?" maxLength={lengths.reason} autoComplete="off" {...form.field('reason')} />
      <p className="text-14 text-ink-soft">This is recorded in the audit log under your name.</p>
    </FormDialog>
  )
}
