import type { Words } from '#contract/content.ts'
import type * as calls from '#contract/content.ts'
import { hoursOf } from '#contract/opening-hours.ts'
import { daysAfter, instantIn, type Region, REGIONS, timeZoneOf, localTimeIn } from '#contract/regions.ts'
import type { Handler } from '../http/serve.ts'
import { holidayOn, isSaturday, isSunday, spanIn } from '../roster/rules.ts'
import { latestVersions } from './reads.ts'

/** A clinic that doesn't close within a week is open day and night. */
const DAYS_AHEAD = 7

function fieldOf(region: Region, day: string) {
  if (isSunday(day) || holidayOn(region, day)) return 'sunday'
  return isSaturday(day) ? 'saturday' : 'weekdays'
}

/** When a clinic closes; null if it's open day and night, undefined if it's closed now. */
export function openUntil(clinic: Words, region: Region, timeZone: string, now: Date) {
  const today = localTimeIn(timeZone, now).day
  let end: Date | undefined
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
    const day = daysAfter(today, ahead)
    const hours = hoursOf(String(clinic[fieldOf(region, day)]))
    if (!hours) continue
    const span = spanIn(timeZone, day, hours.from, hours.to)
    if (span.begin <= (end ?? now) && span.end > (end ?? now)) end = span.end
  }
  return end && end >= instantIn(timeZone, daysAfter(today, DAYS_AHEAD), '00:00') ? null : end
}

const byName = new Intl.Collator('en').compare
/** The clinic that stays open longest comes first; one that never closes comes before all others. */
const closesAt = (until: Date | null) => until?.getTime() ?? Number.MAX_VALUE

/** Only the region's own clinics, since people drive there. */
export const listOpenClinics: Handler<typeof calls.listOpenClinics> = async (ctx, { area }) => {
  const { region } = ctx
  const all = [...(await latestVersions(ctx, 'emergency_clinic')).values()].filter(
    (clinic) => clinic['region'] === region,
  )
  const open = all.flatMap((clinic) => {
    if (clinic['area'] !== area) return []
    const timeZone = timeZoneOf(region, String(clinic['zone'] ?? '')) ?? REGIONS[region].timeZone
    const until = openUntil(clinic, region, timeZone, ctx.now())
    return until === undefined ? [] : [{ clinic, timeZone, until }]
  })
  return {
    area,
    areas: [...new Set(all.map((clinic) => String(clinic['area'])))].toSorted(byName),
    clinics: open
      .toSorted(
        (a, b) =>
          closesAt(b.until) - closesAt(a.until) || byName(String(a.clinic['name']), String(b.clinic['name'])),
      )
      .map(({ clinic, timeZone, until }) => ({
        name: String(clinic['name']),
        place: String(clinic['place']),
        phone: String(clinic['phone']),
        time_zone: timeZone,
        until,
      })),
  }
}
