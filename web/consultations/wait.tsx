import type { Output } from '#contract/call.ts'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { queueStatus } from '#contract/queue.ts'
import { dayAndTime, waitRange } from '../lib/dates.ts'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'

export type QueueStatus = Output<typeof queueStatus>

/** When the next vet on the roster begins, while nobody is on duty. */
export const nextVet = (next: string) =>
  say('The next vet is on duty from {when}.', { when: dayAndTime(next) })

/** How long a new consult would wait, shown before people type or pay. The room shows the same figure. */
export function WaitNow({ queue, isPaid = false }: { queue: QueueStatus; isPaid?: boolean }) {
  const { open, hours, vets, minutes, next } = queue
  if (!open)
    return (
      <Note tone="wait" title={say('Our vets are offline now')}>
        {say(sentenceOf('CONSULT_CLOSED_HOURS'), { hours: hours ?? '' })}
      </Note>
    )
  if (!minutes)
    return (
      <Note tone="wait" title={say('No vet is on duty right now')}>
        {next && `${nextVet(next)} `}
        {say('You can start, and we’ll tell you when a vet joins. If it can’t wait, call your nearest vet.')}
      </Note>
    )
  const wait = <strong className="font-semi whitespace-nowrap">{waitRange(minutes)}</strong>
  // No status: every new minute would interrupt somebody who types with a screen reader.
  return (
    <div className="flex gap-3 leading-snug">
      <span aria-hidden="true" className="mt-[7px] size-2 flex-none rounded-full bg-green" />
      <p>
        {vets === 1
          ? say('A vet is on duty, and should join in {wait}.', { wait })
          : say('{vets} vets are on duty. One should join in {wait}.', { vets, wait })}
        {minutes[1] > PROMISED_MINUTES && ` ${longerThanPromised(minutes[0], isPaid)}`}
      </p>
    </div>
  )
}

/** Shown above the form, where we don't know yet whether a coupon lowers the price. */
function longerThanPromised(shortest: number, isPaid: boolean) {
  const minutes = PROMISED_MINUTES
  const longer =
    shortest > minutes
      ? say('It will probably take longer than the {minutes} minutes we promise.', { minutes })
      : say('It may take longer than the {minutes} minutes we promise.', { minutes })
  return isPaid
    ? `${longer} ${say('Then we’ll refund whatever you paid automatically, and you keep your place.')}`
    : longer
}
