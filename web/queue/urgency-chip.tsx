import type { Consultation } from '#contract/consultations.ts'
import { type Level, LEVEL_NAMES } from '#contract/urgency.ts'
import { Icon } from '../ui/icon.tsx'

/** Only an emergency is filled, so that it stands out. */
export const LEVEL_LOOKS: Record<Level, string> = {
  emergency: 'bg-coral-fill text-on-coral',
  urgent: 'bg-coral-soft text-coral-soft-ink',
  soon: 'bg-paper-sunk text-ink',
  routine: 'bg-paper-sunk text-ink-soft',
}

type Urgency = Consultation['urgency']

export const isEmergency = (of: Urgency) => of?.level === 'emergency'
export const cannotWait = (of: Urgency) => isEmergency(of) || of?.level === 'urgent'

/** Shows that a consult can't wait, and why; nothing for one that can. */
export function UrgencyChip({ of }: { of: Urgency }) {
  if (!of || !cannotWait(of)) return null
  const { level, why } = of
  return (
    <span
      className={`my-[2px] inline-flex max-w-full min-h-6 items-center gap-1 justify-self-start rounded-[12px] px-2 py-[2px] text-14 leading-tight font-semi ${LEVEL_LOOKS[level]}`}
    >
      {level === 'emergency' && <Icon name="triangle-alert" size={16} />}
      <span className="line-clamp-2">{[LEVEL_NAMES[level], why].filter(Boolean).join(': ')}</span>
    </span>
  )
}
