import type { ReactNode } from 'react'
import type { Room } from './chart-card.tsx'
import { everyNth } from './scale.ts'

/** Where to draw: the middle of a column, a value's height, and a column's width. */
export interface Scale {
  x: (at: number) => number
  y: (value: number) => number
  band: number
  left: number
  right: number
}

const HEIGHT = 210
const TOP = 18
/** The width of Figtree's digits at 14 px. */
const DIGIT = 8

/** The axes of a chart, drawn at the available width, so that its text keeps its size. */
export function Plot({
  room: { width, scale },
  label,
  ticks,
  tickSaid = String,
  columns,
  children,
}: {
  room: Room
  /** The chart in words. */
  label: string
  ticks: number[]
  tickSaid?: (tick: number) => string
  columns: string[]
  children: (scale: Scale) => ReactNode
}) {
  const said = ticks.map(tickSaid)
  const left = (Math.max(...said.map(({ length }) => length)) * DIGIT + 8) * scale
  const height = HEIGHT + (scale - 1) * 60
  const bottom = height - 26 * scale
  const band = (width - left) / columns.length
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - TOP * scale)
  const x = (at: number) => left + (at + 0.5) * band
  const nth = everyNth(columns.length, width - left, 62 * scale)
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={label}
      className="block overflow-visible text-14 tabular-nums"
    >
      {ticks.map((tick, at) => (
        <g key={tick}>
          <path d={`M${left} ${y(tick)}H${width}`} stroke="var(--color-line)" />
          <text x={left - 8} y={y(tick) + 4.5 * scale} textAnchor="end" fill="var(--color-ink-soft)">
            {said[at]}
          </text>
        </g>
      ))}
      {children({ x, y, band, left, right: width })}
      {columns.map(
        (column, at) =>
          at % nth === 0 && (
            <text key={column} x={x(at)} y={height - 4} textAnchor="middle" fill="var(--color-ink-soft)">
              {column}
            </text>
          ),
      )}
    </svg>
  )
}

export const Mark = ({
  scale: { y, left, right },
  value,
  said,
  colour,
  below = false,
}: {
  scale: Scale
  value: number
  said: string
  colour: string
  below?: boolean
}) => (
  <>
    <path d={`M${left} ${y(value)}H${right}`} stroke={colour} strokeDasharray="4 4" />
    <text
      x={right}
      y={y(value) + (below ? 18 : -6)}
      textAnchor="end"
      fill="var(--color-ink)"
      stroke="var(--color-card)"
      strokeWidth={4}
      paintOrder="stroke"
      className="font-semi"
    >
      {said}
    </text>
  </>
)

/** Columns of stacked parts. Negative parts are below zero. */
export function Bars({
  scale: { x, y, band },
  parts,
  colours,
}: {
  scale: Scale
  /** For each column, its parts from the bottom. */
  parts: number[][]
  colours: string[]
}) {
  const width = Math.max(1, Math.min(28, band * 0.7))
  return parts.map((values, column) => {
    let [up, down] = [0, 0]
    return (
      // oxlint-disable-next-line react/no-array-index-key -- columns never move
      <g key={column}>
        {values.map((value, part) => {
          if (value === 0) return null
          const from = value > 0 ? up : down
          if (value > 0) up += value
          else down += value
          const [top, bottom] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))]
          return (
            <rect
              key={colours[part]}
              x={x(column) - width / 2}
              y={top}
              width={width}
              height={Math.max(1, bottom - top - (from === 0 ? 0 : 1.5))}
              rx={Math.min(2, width / 4)}
              fill={colours[part]}
            />
          )
        })}
      </g>
    )
  })
}
