import { useQuery } from '@tanstack/react-query'
import { waitAccuracy } from './queries.ts'

/** For admins: how accurate the waits were that owners saw. */
export function WaitsTold() {
  const { data, isError } = useQuery(waitAccuracy)
  if (isError)
    return <p className="text-14 text-ink-soft">We couldn’t load how accurate the wait estimates were.</p>
  if (!data) return <p className="min-h-[1.55em] text-14" aria-busy="true" />
  const { told, within, sooner, later, days, median_late_minutes } = data
  return (
    <p className="text-14 text-ink-soft tabular-nums">
      {told === 0 ? (
        `No wait estimates were given in the last ${days} days.`
      ) : (
        <>
          Wait estimates in the last {days} days:{' '}
          <strong className="font-semi text-ink">{Math.round(((within + sooner) / told) * 100)}% kept</strong>
          , {within} as estimated, {sooner} sooner, {later} later
          {median_late_minutes !== null && `, by a median of ${Math.round(median_late_minutes)} minutes`}.
        </>
      )}
    </p>
  )
}
