import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'

const chip = 'block flex-none rounded-[4px]'

const word = (letters: string, look: { fill: string; fontStyle?: string }) => (
  <text
    x="18"
    y="15.6"
    textAnchor="middle"
    textLength="26"
    lengthAdjust="spacingAndGlyphs"
    fontSize="10"
    fontWeight="800"
    {...look}
  >
    {letters}
  </text>
)

const marks: Record<string, { ground: string; drawing: ReactNode }> = {
  visa: { ground: '#ffffff', drawing: word('VISA', { fill: '#1a1f71', fontStyle: 'italic' }) },
  amex: { ground: '#016fd0', drawing: word('AMEX', { fill: '#ffffff' }) },
  mastercard: {
    ground: '#ffffff',
    drawing: (
      <>
        <circle cx="14" cy="12" r="7" fill="#eb001b" />
        <circle cx="22" cy="12" r="7" fill="#f79e1b" />
        <path d="M18 6.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0-11.48z" fill="#ff5f00" />
      </>
    ),
  },
}

/** A card brand's logo. It's only decoration, because the name is beside it as text. */
export function CardMark({ brand, large }: { brand: string | undefined; large?: boolean }) {
  const mark = marks[brand ?? '']
  const size = large ? { width: 48, height: 32 } : { width: 36, height: 24 }
  if (!mark)
    return (
      <span
        style={size}
        className={`${chip} grid place-items-center bg-paper-sunk text-ink-soft`}
        aria-hidden="true"
      >
        <Icon name="credit-card" />
      </span>
    )
  return (
    <svg {...size} viewBox="0 0 36 24" className={chip} aria-hidden="true">
      <rect x="0.5" y="0.5" width="35" height="23" rx="3.5" fill={mark.ground} stroke="var(--color-line)" />
      {mark.drawing}
    </svg>
  )
}
