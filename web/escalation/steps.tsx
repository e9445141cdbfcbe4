import type { Escalation, EscalationStep } from '#contract/escalation.ts'
import { time } from '../lib/dates.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

type Sent = Escalation['steps'][number]
type Shown = EscalationStep & Partial<Pick<Sent, 'sms' | 'mail'>>

interface Line {
  icon: IconName
  title: string
  more?: string
  look?: 'wait' | 'miss' | 'ok' | 'now'
}

const minutesBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 60_000)
const minutes = (n: number) => (n === 1 ? '1 minute' : `${n} minutes`)

/** What was sent, as far as the page may know. */
function sentSays({ contact, sms, mail, by }: Shown): string {
  if (sms === undefined || mail === undefined) return contact ?? ''
  const left = [sms && sms !== 'failed' && 'SMS', mail && mail !== 'failed' && 'mail'].filter(Boolean)
  const failed = [sms === 'failed' && 'The SMS', mail === 'failed' && 'The mail'].filter(Boolean)
  const waits = [sms, mail].includes('waiting')
  const says = [
    left.length > 0 && `${left.join(' and ')} ${waits ? 'on the way' : 'sent'}, with the case and a link.`,
    failed.length > 0 && `${failed.join(' and ').replace(' and The', ' and the')} didn’t get through.`,
    left.length === 0 && 'Nothing could be sent.',
    left.length === 0 && contact && `Dial ${contact} yourself.`,
    left.length > 0 && contact,
    by && `Called by ${by}`,
  ]
  return says.filter(Boolean).join(' ')
}

function lineOf(step: Shown, all: readonly Shown[]): Line {
  const { kind, name, at } = step
  const who = name ?? ''
  const called = all.findLast((one) => one.kind === 'called' && one.name === name && one.step < step.step)
  switch (kind) {
    case 'called':
      return { icon: 'phone-call', title: `Called ${who}`, more: sentSays(step) }
    case 'missed':
      return {
        icon: 'phone-off',
        title: called ? `No answer for ${minutes(minutesBetween(called.at, at))}` : 'No answer',
        more: who,
        look: 'miss',
      }
    case 'declined':
      return { icon: 'phone-off', title: `${who} can’t take it`, look: 'miss' }
    case 'acknowledged':
      return {
        icon: 'check',
        title: `Acknowledged by ${who}`,
        more: 'Pressed “I’m on it” on the link. The other links stopped working.',
        look: 'ok',
      }
    case 'released':
      return { icon: 'arrow-right-left', title: `${who} can’t any more`, look: 'miss' }
    case 'nobody':
      return { icon: 'hand', title: 'Nobody left to call', more: 'The vet decides', look: 'now' }
    case 'stopped':
      return { icon: 'hand', title: `${step.by} stopped calling`, look: 'now' }
    case 'emergency':
      return { icon: 'map-pin', title: 'Sent to an emergency clinic', more: step.by ?? '', look: 'ok' }
    case 'hours':
      return { icon: 'clock', title: 'Waits for opening hours', more: step.by ?? '', look: 'ok' }
  }
}

const LOOKS = {
  plain: 'border-line bg-paper-sunk text-ink-soft',
  wait: 'border-amber bg-amber-soft text-amber-soft-ink',
  miss: 'border-transparent bg-amber-soft text-amber-soft-ink',
  ok: 'border-transparent bg-green text-on-green',
  now: 'border-coral bg-coral-soft text-coral-soft-ink',
}

/** Every step with its time, and what comes next. */
export function Steps({
  steps,
  before,
  waits = false,
  next,
}: {
  steps: readonly Shown[]
  /** What came before the first call. */
  before?: { at: string; title: string; more: string }
  /** The last call is still open. */
  waits?: boolean
  next?: { at: string; title: string; more: string } | undefined
}) {
  const lines = steps.map((step, at) => {
    const line = lineOf(step, steps)
    const isOpen = waits && at === steps.length - 1
    return { key: String(step.step), at: step.at, ...line, ...(isOpen && { look: 'wait' as const }) }
  })
  const all = [
    ...(before ? [{ key: 'before', icon: 'file-text' as const, look: undefined, ...before }] : []),
    ...lines,
    ...(next ? [{ key: 'next', icon: 'clock' as const, look: undefined, ...next }] : []),
  ]
  return (
    <ol className="stack gap-0">
      {all.map(({ key, at, icon, title, more, look }, index) => (
        <li
          key={key}
          className={`relative grid grid-cols-[52px_28px_minmax(0,1fr)] gap-x-3 leading-[1.45] ${index < all.length - 1 ? 'pb-5 before:absolute before:top-8 before:bottom-1 before:left-[77px] before:w-[2px] before:rounded-full before:bg-line' : ''}`}
        >
          <time dateTime={at} className="pt-1 font-medium tabular-nums">
            {time(at)}
          </time>
          <span className={`grid size-7 place-items-center rounded-full border ${LOOKS[look ?? 'plain']}`}>
            <Icon name={icon} size={16} />
          </span>
          <div className="pt-[2px]">
            <p className="font-semi">{title}</p>
            {more && <p className="text-14 text-ink-soft">{more}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}
