import type { RulesReading } from '#contract/phone.ts'
import { LEVEL_NAMES } from '#contract/urgency.ts'
import { Icon } from '../ui/icon.tsx'

/** How the rules read the problem, shown below the vet's choice, which they never change. */
export function RulesRead({ read, chosen }: { read: RulesReading; chosen: string }) {
  const presses = read?.level === 'emergency' || read?.level === 'urgent'
  return (
    <p
      role="status"
      className={`flex items-start gap-2 text-14 leading-snug ${read ? '' : 'sr-only'} ${presses ? 'text-coral-soft-ink' : 'text-ink-soft'}`}
    >
      {read && presses && <Icon name="triangle-alert" size={16} className="mt-[2px] shrink-0" />}
      {read && (
        <span>
          {read.level === 'routine' ? (
            'The rules found nothing that can’t wait.'
          ) : (
            <span className={presses ? 'font-semi' : ''}>
              The rules read {[LEVEL_NAMES[read.level], read.why].filter(Boolean).join(': ')}.
            </span>
          )}{' '}
          {chosen === '' ? (
            <span className="text-ink-soft">You choose.</span>
          ) : (
            chosen !== read.level && <span className="text-ink-soft">Your choice counts.</span>
          )}
        </span>
      )}
    </p>
  )
}
