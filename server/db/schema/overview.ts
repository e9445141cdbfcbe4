import { index, integer, jsonb, primaryKey } from 'drizzle-orm/pg-core'
import { type Currency, type Region } from '#contract/regions.ts'
import { region, time, table } from './columns.ts'

/** What the overview counts in one day of a region. Figures of several days add up to those of a range. */
export interface DayFigures {
  text: number
  video: number
  phone: number
  /** Answered within the promise, and later than that. */
  within: number
  late: number
  /** The longest wait in minutes, and its beginning in milliseconds. */
  longest: [minutes: number, at: number] | null
  /** The seconds of each wait, by the hour of the day in which it began, in no order. */
  waits: { hour: number; seconds: number[] }[]
  told: number
  sooner: number
  later: number
  /** The told waits that were wrong by most, the worst first. */
  missed: { id: number; at: string; from: number; to: number; took: number; by: number }[]
  /** How many ratings gave one star, two, and so on. */
  stars: number[]
  with_words: number
  money: {
    region: Region
    currency: Currency
    charged: number
    refunds: number
    refunded: number
    disputed: number
    net: number
  }[]
}

/** The figures of past days, so that we add up a range instead of counting it. */
export const dayFigures = table(
  'day_figures',
  {
    region: region(),
    begins: time().notNull(),
    ends: time().notNull(),
    /** Which shape the figures have. */
    version: integer().notNull(),
    figures: jsonb().$type<DayFigures>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.begins] })],
)

/**
 * Times whose days must be counted again. Triggers on everything that is counted add them in the transaction of each
 * change, without waiting for each other.
 */
export const dayChanges = table('day_changes', { at: time().notNull() }, (t) => [
  index('day_changes_at').on(t.at),
])
