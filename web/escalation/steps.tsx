import { time } from '../lib/dates.ts'
import { Icon } from '../ui/icon.tsx'
import { lineOf, type ShownStep } from './step-words.ts'

const LOOKS = {
  plain: 'border-line bg-paper-sunk text-ink-soft',
  wait: 'border-amber bg-amber-soft text-amber-soft-ink',
  miss: 'border-transparent bg-amber-soft text-amber-soft-ink',
  ok: 'border-transparent bg-green text-on-green',
  now: 'border-coral bg-coral-soft text-coral-soft-ink',
}

export function Steps({
  steps,
  before,
  waits = false,
  next,
}: {
  steps: readonly ShownStep[]
  /** What happened before the first call. */
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
          className={`relative grid grid-cols-[3.25rem_28px_minmax(0,1fr)] gap-x-3 leading-[1.45] ${index < all.length - 1 ? 'pb-5 before:absolute before:top-8 before:bottom-1 before:left-[calc(3.25rem+25px)] before:w-[2px] before:rounded-full before:bg-line' : ''}`}
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
