import { briefDay } from '../lib/dates.ts'
import { dayShort } from './words.ts'
import type { Overview } from './queries.ts'

/* Words and colours that all charts of the overview share. */

export const [ONE, TWO, THREE, BAND, ALARM] = [
  'var(--chart-1)',
  'var(--chart-2)',
  'var(--chart-3)',
  'var(--chart-band)',
  'var(--color-coral)',
]

export interface Part {
  data: Overview
}

export const rangeSaid = ({ from, to }: Overview) =>
  from === to ? briefDay(to) : `${dayShort(from, 30)} to ${dayShort(to, 30)}`
export const fileOf = (name: string, { from, to }: Overview) =>
  `${name}-${from}${from === to ? '' : `-to-${to}`}`
export const columnsOf = ({ by_day }: Overview) => by_day.map(({ day }) => dayShort(day, by_day.length))
export const tenth = (value: number) => Math.round(value * 10) / 10
