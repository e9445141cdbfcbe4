import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

const tones = {
  info: { look: 'bg-green-soft text-green-soft-ink', icon: 'info' },
  wait: { look: 'bg-amber-soft text-amber-soft-ink', icon: 'clock' },
  bad: { look: 'bg-red-soft text-red-soft-ink', icon: 'circle-alert' },
  urgent: { look: 'bg-coral-soft text-coral-soft-ink', icon: 'siren' },
} as const

type NoteProps = Omit<ComponentProps<'div'>, 'title' | 'className'> & {
  tone: keyof typeof tones
  icon?: IconName
  /** The bold first line says what happened. The rest says what to do. */
  title: ReactNode
}

/** Green is for information, amber for waiting, red for failures, coral for urgent notes. */
export const Note = ({ tone, icon, title, children, ...rest }: NoteProps) => (
  <div
    {...rest}
    className={`grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 gap-y-[2px] rounded-card p-4 leading-[1.5] [&_a]:font-semi [&_a]:text-inherit ${tones[tone].look}`}
  >
    <Icon name={icon ?? tones[tone].icon} className="mt-[2px]" />
    <p className="font-semi">{title}</p>
    {children && <div className="col-start-2">{children}</div>}
  </div>
)
