import { dayAndTime, waitRange } from '../lib/dates.ts'
import { useRegion, useSite } from '../lib/site.ts'
import { Link } from '../ui/link.tsx'
import { LiveDot } from '../shell/live-dot.tsx'

/** Who was on duty when the page loaded, and the same wait as on the purchase page and in the room. */
export function LiveNow() {
  const { queue } = useSite()
  const { timeZone } = useRegion()
  if (!queue) return null
  const { open, hours, vets, minutes, next } = queue
  const tellMe = <Link href="/chat-purchase#tell-me">Tell me when a vet is back</Link>
  return (
    <p className="flex items-start gap-3 leading-6">
      <span className="grid h-6 items-center pl-1">
        <LiveDot />
      </span>
      <span>
        {!open ? (
          <>
            {`Our vets are offline now. They’re here from ${hours}.`} {tellMe}
          </>
        ) : minutes ? (
          <>
            {vets === 1 ? 'A vet is on duty now' : `${vets} vets are on duty now`}, and should join in{' '}
            <strong className="font-semi whitespace-nowrap">{waitRange(minutes)}</strong>.
          </>
        ) : (
          <>
            No vet is on duty right now.
            {/* Where vets keep hours, visitors may live in another zone than they do. */}
            {next &&
              ` The next one is on duty from ${dayAndTime(next, undefined, timeZone)}${hours ? ` ${timeZone.split('/')[1]} time` : ''}.`}{' '}
            {tellMe}
          </>
        )}
      </span>
    </p>
  )
}
