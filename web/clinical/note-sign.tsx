import { type Note, OUTCOMES } from '#contract/clinical.ts'
import type { Room } from '#contract/consultations.ts'
import { useDraft } from '../chat/draft.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useForm } from '../ui/form.tsx'
import { nameOf } from '../consultations/case-words.ts'
import { NAMES, type Parts, PARTS } from './note-state.ts'
import { useEndConsultation } from './queries.ts'

export function SignDialog({
  room,
  parts,
  onFlush,
  version,
  onClose,
}: {
  room: Room
  parts: Parts
  /** Resolves to true once the server has the whole note. */
  onFlush: () => Promise<boolean>
  version: () => number
  onClose: () => void
}) {
  const end = useEndConsultation()
  const form = useForm({ defaults: {} })
  const unsent = useDraft(room.id).text.trim()
  return (
    <FormDialog
      small
      title={`Sign ${room.pet.name}’s note?`}
      form={form}
      does="Sign and end"
      doing="Signing…"
      keeps="Not yet"
      onClose={onClose}
      onSubmit={async () => {
        if (!(await onFlush()))
          throw { errors: ['The note hasn’t been saved yet, so nothing was signed. Try again.'] }
        const { emailed } = await end({ id: room.id, version: version() })
        // The button that opened this dialog disappears with the open note.
        requestAnimationFrame(() => document.getElementById('tab-note')?.focus())
        return emailed.length > 0
          ? `Signed and ended. The advice went to ${emailed.join(' and ')}.`
          : 'Signed and ended. The advice is in the chat.'
      }}
    >
      <p>
        Outcome: <strong className="font-semi">{parts.outcome && OUTCOMES[parts.outcome]}</strong>. This locks
        the note and ends the consult. {nameOf(room)} will get the advice in the chat and by email. So will
        the clinic, if they agreed to that.
      </p>
      {unsent && (
        <p className="rounded-small bg-amber-soft px-3 py-2 text-amber-soft-ink">
          You haven’t sent this message yet:{' '}
          <span className="line-clamp-3 [overflow-wrap:anywhere]">{unsent}</span>
        </p>
      )}
      <Left parts={parts} />
    </FormDialog>
  )
}

/** Lists the optional parts that were left empty. */
function Left({ parts }: { parts: Parts }) {
  const left = PARTS.filter((part) => !parts[part]?.trim()).map((part) => NAMES[part])
  if (left.length === 0) return null
  return <p className="text-ink-soft">Not filled in: {left.join(', ')}.</p>
}

/** Shows both versions side by side where they differ, and keeps one. */
export function BothDialog({
  here,
  theirs,
  onKeep,
  onClose,
}: {
  here: Parts
  theirs: Note | undefined
  onKeep: (which: 'here' | 'theirs', theirs: Note) => void
  onClose: () => void
}) {
  const differ = theirs ? PARTS.filter((part) => (here[part] ?? '') !== (theirs[part] ?? '')) : []
  const said = (parts: Parts, part: keyof Parts) =>
    part === 'outcome' ? parts.outcome && OUTCOMES[parts.outcome] : parts[part]
  return (
    <Dialog
      title="Changed in your other window"
      onClose={onClose}
      foot={
        theirs && (
          <>
            {!theirs.signed_at && (
              <Button variant="primary" onClick={() => onKeep('here', theirs)}>
                Keep this version
              </Button>
            )}
            <Button onClick={() => onKeep('theirs', theirs)}>Use the other version</Button>
          </>
        )
      }
    >
      {!theirs ? (
        <p role="status">
          Still loading the other version. If it doesn’t appear, close this and open it again.
        </p>
      ) : (
        <>
          {theirs.signed_at && (
            <p>The note was signed in the other window. You can still copy what’s here.</p>
          )}
          <dl className="grid grid-cols-[minmax(0,1fr)] gap-5">
            {differ.map((part) => (
              <div key={part}>
                <dt className="mb-2 font-semi">{NAMES[part]}</dt>
                <dd className="grid gap-3 sm:grid-cols-2">
                  {[
                    ['Here', here],
                    ['In the other window', theirs],
                  ].map(([name, parts]) => (
                    <span key={name as string} className="rounded-small bg-paper-sunk p-3 text-14">
                      <span className="block text-ink-soft">{name as string}</span>
                      <span className="whitespace-pre-line">{said(parts as Parts, part) || 'Empty'}</span>
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Dialog>
  )
}
