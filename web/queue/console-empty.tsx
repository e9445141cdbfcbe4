import type { Consultation } from '#contract/consultations.ts'
import * as lengths from '#contract/lengths.ts'
import { ApiError } from '../lib/api.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty, Failed } from '../ui/empty.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import { minutesBetween, short } from '../consultations/case-words.ts'

/** Says that a colleague took the case first, and which case is next. */
export const Lost = ({
  why,
  next,
  now,
  onTake,
  onClose,
}: {
  why: string
  next: Consultation | undefined
  now: number
  onTake: (id: number) => void
  onClose: () => void
}) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-amber-soft px-4 py-2 text-14 text-amber-soft-ink">
    <p className="min-w-48 flex-1">
      {why}{' '}
      {next
        ? `Next in the queue is ${next.pet.name}, ${short(minutesBetween(next.start, now))}.`
        : 'Nobody else is waiting.'}
    </p>
    <span className="flex gap-2">
      {next && (
        <Button size={44} className="text-14!" onClick={() => onTake(next.id)}>
          Take {next.pet.name}
        </Button>
      )}
      <Button variant="text" size={44} className="text-14! text-inherit!" onClick={onClose}>
        Close
      </Button>
    </span>
  </div>
)

/** Shown while there is nothing to show, or until a reason is given. */
export function NoRoom({
  error,
  onRetry,
  onWhy,
}: {
  error: Error | null
  onRetry: () => void
  onWhy: (words: string) => void
}) {
  const { code, status } = error instanceof ApiError ? error : new ApiError(0, '')
  if (!error)
    return (
      <div aria-busy="true" className="row-span-3">
        <div className="flex min-h-16 items-center gap-3 border-b border-line px-4">
          <Skeleton round className="size-10" />
          <Skeleton className="h-4 w-48" />
        </div>
      </div>
    )
  if (code === 'CONSULT_SAY_WHY') return <Why onWhy={onWhy} />
  return (
    <div className="row-span-3 overflow-y-auto">
      {status === 404 ? (
        <Empty
          scene="not-found"
          title="We couldn’t find that consult"
          action={<LinkButton href="/myaccount">All consults</LinkButton>}
        />
      ) : (
        <Failed what="this case" onRetry={onRetry} />
      )}
    </div>
  )
}

/** To open a case that another vet closed, a vet gives a reason, which the owner can read. */
function Why({ onWhy }: { onWhy: (words: string) => void }) {
  const form = useForm({
    rules: ({ why }) => ({ why: !why.trim() && 'A few words are enough.' }),
    defaults: { why: '' },
  })
  return (
    <Form
      form={form}
      className="row-span-3 grid max-w-120 content-start gap-4 justify-self-center p-6"
      onSubmit={({ why }) => onWhy(why.trim())}
    >
      <h2 className="t22">Another vet closed this consult</h2>
      <p className="text-ink-soft">
        Say why you’re opening it. The owner can see who looked at their pet’s record, and why.
      </p>
      <TextField
        label="Why are you opening it?"
        maxLength={lengths.reason}
        autoComplete="off"
        {...form.field('why')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary">
          Open it
        </Button>
        <LinkButton href="/myaccount">All consults</LinkButton>
      </div>
    </Form>
  )
}
