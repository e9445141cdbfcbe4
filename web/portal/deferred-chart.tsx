import { useEffect, useRef, useState } from 'react'
import type { Deferred } from '#contract/portal.ts'
import { callsOf, weekName } from './deferred-words.ts'

const HEIGHT = 200
const LEFT = 30
const TOP = 14
const GAP = 1.5
/** From the bottom up. */
const PARTS = [
  ['deferred', 'var(--chart-1)'],
  ['contact', 'var(--chart-3)'],
  ['emergency', 'var(--chart-2)'],
] as const
/** A label needs this much room. */
const LABEL = 64
/** How many grid lines there are above zero. */
const LINES = 4

/** The step between grid lines: 1, 2, 5, 10, 20, 50 and so on. */
function stepFor(most: number) {
  const least = Math.max(1, most / LINES)
  const ten = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map((n) => n * ten).find((step) => step >= least)!
}

/** Stacked bars by week, the earliest first, drawn at the available width. The table beside it has the same figures. */
export function DeferredChart({ weeks, says }: { weeks: Deferred['weeks']; says: string }) {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    watch.observe(frame.current!)
    return () => watch.disconnect()
  }, [])

  const inOrder = weeks.toReversed()
  const step = stepFor(Math.max(...weeks.map(callsOf), 1))
  const top = step * LINES
  const y = (calls: number) => TOP + (HEIGHT - TOP) * (1 - calls / top)
  const room = (width - LEFT) / inOrder.length
  const bar = Math.max(2, Math.min(44, room * 0.62))
  const every = Math.max(1, Math.ceil(LABEL / room))

  return (
    // Clipped, so that a window doesn't scroll sideways when it gets narrower before the chart does.
    <div ref={frame} className="-mx-4 mt-3 overflow-x-clip px-4" style={{ minHeight: HEIGHT + 24 }}>
      {width > 0 && (
        <svg
          role="img"
          aria-label={says}
          width={width}
          height={HEIGHT + 24}
          className="block overflow-visible fill-ink-soft text-14 tabular-nums"
        >
          {Array.from({ length: LINES + 1 }, (_, line) => (
            <g key={line}>
              <path d={`M${LEFT} ${y(line * step)}H${width}`} stroke="var(--line)" />
              <text x={LEFT - 8} y={y(line * step) + 5} textAnchor="end">
                {line * step}
              </text>
            </g>
          ))}
          {inOrder.map((week, at) => {
            const x = LEFT + room * at + (room - bar) / 2
            let below = 0
            return (
              <g key={week.week}>
                {PARTS.map(([part, color]) => {
                  const from = y(below)
                  below += week[part]
                  const height = from - y(below) - GAP
                  return (
                    height > 0 && (
                      <rect key={part} x={x} y={y(below)} width={bar} {...{ height }} fill={color} rx={1.5} />
                    )
                  )
                })}
                {(inOrder.length - 1 - at) % every === 0 && (
                  <text x={x + bar / 2} y={HEIGHT + 20} textAnchor="middle">
                    {weekName(week.week)}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}
