import type { ReactNode } from 'react'
import { useSite } from '../lib/site.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'

/** What a buyer wants to know beside the button that charges. Only facts: other code keeps these promises. */
export function Sure({
  points,
  isFree,
}: {
  points: { icon: IconName; says: ReactNode }[]
  isFree?: boolean
}) {
  const { cardKey } = useSite()
  const all =
    cardKey === null || isFree
      ? points
      : [
          ...points,
          { icon: 'lock' as const, says: say('Your card goes straight to Stripe. We never see the number.') },
        ]
  return (
    <ul className="stack gap-3 [&_b]:font-semi [&_b]:text-ink">
      {all.map(({ icon, says }) => (
        <li key={icon} className="grid grid-cols-[20px_minmax(0,1fr)] gap-3 text-14 leading-5 text-ink-soft">
          <Icon name={icon} className="text-green" />
          <span>{says}</span>
        </li>
      ))}
    </ul>
  )
}
