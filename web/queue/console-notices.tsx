import { VET_GONE_MINUTES } from '#contract/queue.ts'
import { time } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import type { VetCall } from '../video/vet-call.ts'

/** Says that the vet's own connection is down, whichever case is open. */
export const Outage = ({ since }: { since: string }) => (
  <p className="flex items-start gap-3 border-b border-line bg-amber-soft px-4 py-[10px] text-14 text-amber-soft-ink">
    <Icon name="wifi-off" className="mt-px" />
    <span>
      <strong className="font-semi">You’ve been offline since {time(since)}.</strong> The queue is as it was
      then. Keep writing: it will be sent when you’re back. After {VET_GONE_MINUTES} minutes your cases go to
      another vet.
    </span>
  </p>
)

/** Shown when the vet looks at another case during a call. */
export const InCall = ({
  call: { consultation, store, CallSound },
  pet,
  href,
}: {
  call: VetCall
  /** Known once the vet's own cases have loaded. */
  pet: string | undefined
  href: string
}) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-green-soft px-4 py-2 text-14 text-green-soft-ink">
    <Icon name="video" />
    <p className="font-semi">
      You’re still in the call about {pet ?? `case ${consultation}`}. They can hear you.
    </p>
    <Link href={href} className="min-h-9 content-center font-semi pointer-coarse:min-h-11">
      Back to the call
    </Link>
    <Button variant="text" size={36} icon="phone-off" onClick={store.leave}>
      Leave the call
    </Button>
    <CallSound store={store} />
  </div>
)
