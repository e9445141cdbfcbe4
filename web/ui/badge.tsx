import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

const tones = {
  quiet: 'border-line bg-paper-sunk text-ink-soft',
  green: 'border-transparent bg-green-soft text-green-soft-ink',
  amber: 'border-transparent bg-amber-soft text-amber-soft-ink',
  coral: 'border-transparent bg-coral-soft text-coral-soft-ink',
  red: 'border-transparent bg-red-soft text-red-soft-ink',
}

type BadgeProps = { tone?: keyof typeof tones; icon?: IconName; className?: string; children: ReactNode }

export const Badge = ({ tone = 'quiet', icon, className = '', children }: BadgeProps) => (
  <span
    className={`inline-flex min-h-7 max-w-full items-center gap-[6px] rounded-full border px-[10px] py-[3px] text-14 leading-[1.4] font-semi ${tones[tone]} ${className}`}
  >
    {icon && <Icon name={icon} size={16} />}
    {children}
  </span>
)
