import { localDay, REGIONS, type Region } from '#contract/regions.ts'

const inFull = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A calendar day in words, such as 21 November 2026. */
export const dayInWords = (day: string) => inFull.format(new Date(day))

/** The same for a time's day in a region. */
export const dayOf = (at: Date, region: Region) => dayInWords(localDay(region, at))

/** Such as Sat 21 Nov 2026, in the region's time zone. */
export const dayWithWeekday = (at: Date, region: Region) =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: REGIONS[region].timeZone,
  })
    .format(at)
    .replace(',', '')
