import type { DayFigures } from '../db/schema/overview.ts'

/** Goes up when the shape of the figures changes. Stored figures of another shape are counted again. */
export const FIGURES_VERSION = 1

export const MOST_MISSED = 5

type Waits = DayFigures['waits']

/** In seconds, the shortest first. */
export const sortedWaits = (waits: Waits) =>
  Int32Array.from(waits.flatMap(({ seconds }) => seconds)).toSorted()

/** The minutes within which this share of the waits ended, interpolated between the two nearest. */
export function minutesOfShare(sorted: Int32Array, share: number): number {
  const place = (sorted.length - 1) * share
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return (below + (above - below) * (place % 1)) / 60
}

/** The hours of the day in which somebody waited. */
export const hoursOf = (waits: Waits) =>
  [...Map.groupBy(waits, ({ hour }) => hour)]
    .map(([hour, of]) => {
      const sorted = sortedWaits(of)
      return {
        hour,
        waits: sorted.length,
        median: minutesOfShare(sorted, 0.5),
        nine_of_ten: minutesOfShare(sorted, 0.9),
      }
    })
    .toSorted((one, other) => one.hour - other.hour)

export function longestOf(days: DayFigures[]) {
  const [worst] = days
    .flatMap(({ longest }) => (longest ? [longest] : []))
    .toSorted(([one], [other]) => other - one)
  return worst ? { minutes: worst[0], at: new Date(worst[1]).toISOString() } : null
}

/** Compares the waits that owners were first told with their real waits. */
export function waitsTold(days: DayFigures[]) {
  const total = (name: 'told' | 'sooner' | 'later') => days.reduce((sum, day) => sum + day[name], 0)
  const [told, sooner, later] = [total('told'), total('sooner'), total('later')]
  const missed = days
    .flatMap(({ missed }) => missed)
    .toSorted((one, other) => other.by - one.by || other.id - one.id)
    .slice(0, MOST_MISSED)
  return { told, sooner, later, within: told - sooner - later, missed }
}

export function ratingsOf(days: DayFigures[]) {
  const stars = [0, 1, 2, 3, 4].map((at) => days.reduce((sum, day) => sum + day.stars[at]!, 0))
  const count = stars.reduce((sum, of) => sum + of, 0)
  const points = stars.reduce((sum, of, at) => sum + of * (at + 1), 0)
  return {
    count,
    mean: count > 0 ? Math.round((points / count) * 100) / 100 : null,
    with_words: days.reduce((sum, day) => sum + day.with_words, 0),
    stars,
  }
}

/** By region and currency. */
export function moneyOf(days: DayFigures[]) {
  const places = Map.groupBy(
    days.flatMap(({ money }) => money),
    ({ region, currency }) => `${region} ${currency}`,
  )
  return [...places.values()]
    .map((rows) => {
      const total = (name: 'charged' | 'refunds' | 'refunded' | 'disputed' | 'net') =>
        rows.reduce((sum, row) => sum + row[name], 0)
      const { region, currency } = rows[0]!
      return {
        region,
        currency,
        charged: total('charged'),
        refunds: total('refunds'),
        refunded: -total('refunded'),
        disputed: total('disputed'),
        net: total('net'),
      }
    })
    .toSorted((one, other) => one.region.localeCompare(other.region))
}
