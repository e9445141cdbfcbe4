import type { OpenConsult } from '#contract/consultations.ts'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'
import { InProgress } from './in-progress.tsx'

/** Replaces the purchase form while a consult is open, so that the paid one comes first. */
export const StillOpen = ({
  open,
  price,
  another,
  isPaid,
}: {
  open: OpenConsult[]
  price: string
  /** The address of the form. Members start another consult from their account. */
  another: string
  isPaid: boolean
}) => (
  <div className="wrap stack max-w-[calc(720px+2*var(--gutter))] gap-6 pt-6 pb-12 lg:pt-12 lg:pb-16">
    <div className="stack gap-2">
      <h1 className="t36">
        {open.length === 1 ? say('Your consult is still open') : say('Your consults are still open')}
      </h1>
      <p className="lead">
        {isPaid
          ? say('There’s nothing more to pay. Carry on where you left off.')
          : say('Carry on where you left off.')}
      </p>
    </div>
    {open.map((one) => (
      <InProgress key={one.id} consultation={one} />
    ))}
    <div className="flex flex-wrap items-center gap-x-2">
      <p className="text-ink-soft">{say('Is it about a different pet?')}</p>
      <Link
        href={another}
        className="inline-flex min-h-11 items-center gap-2 rounded-full px-3 font-semi text-green no-underline hover:bg-green-soft max-sm:-ml-3"
      >
        {isPaid ? say('For another pet, {price}', { price }) : say('For another pet')}
        <Icon name="chevron-right" size={16} />
      </Link>
    </div>
  </div>
)
