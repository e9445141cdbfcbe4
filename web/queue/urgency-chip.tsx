import type { Level } from '#contract/urgency.ts'
import { Icon } from '../ui/icon.tsx'

/** Only an emergency is filled, so that it is seen apart. */
const LOOKS = {
  emergency: 'bg-coral-fill text-on-coral',
  urgent: 'bg-coral-soft text-coral-soft-ink',
} as const
const SAID = { emergency: 'Emergency', urgent: 'Urgent' } as const

/** That a consult can't wait, and why. */
export function UrgencyChip({ level, why }: { level: Extract<Level, keyof typeof LOOKS>; why: string }) {
  return (
    <span
      className={`my-[2px] inline-flex max-w-full min-h-6 items-center gap-1 justify-self-start rounded-full px-2 text-14 leading-tight font-semi ${LOOKS[level]}`}
    >
      {level === 'emergency' && <Icon name="triangle-alert" size={16} />}
      <span className="truncate">{why ? `${SAID[level]}: ${why}` : SAID[level]}</span>
    </span>
  )
}
