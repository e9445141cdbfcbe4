import type { ReactNode } from 'react'
import type { Flag } from '#contract/urgency.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Reviewed } from './go-now.tsx'

/** A card that says what can't wait and why, and below it what to do. */
export const CannotWait = ({
  flag,
  role,
  icon,
  heading: Heading,
  title,
  why,
  children,
}: {
  flag: Flag
  role: 'alert' | 'status'
  icon: IconName
  heading: 'h2' | 'h3'
  title: string
  why: ReactNode
  children: ReactNode
}) => (
  <section aria-labelledby="cannot-wait" className="overflow-clip rounded-card border border-line bg-card">
    <div
      role={role}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 bg-coral-soft p-5 text-coral-soft-ink"
    >
      <Icon name={icon} className="mt-[2px]" />
      <div>
        <Heading id="cannot-wait" className="t18">
          {title}
        </Heading>
        <p className="mt-1 text-ink">{why}</p>
      </div>
    </div>
    <div className="stack gap-4 p-5">
      {children}
      <Reviewed review={flag.reviewed} />
    </div>
  </section>
)
