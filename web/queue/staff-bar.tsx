import type { ReactNode } from 'react'
import { Logo } from '../shell/logo.tsx'
import { Link } from '../ui/link.tsx'
import { isQueue, placeAt, STAFF_PLACES } from './staff-places.ts'

const look =
  'min-h-9 items-center gap-2 rounded-small px-3 font-medium whitespace-nowrap text-ink-soft no-underline hover:bg-paper-sunk aria-[current]:bg-paper-sunk aria-[current]:font-semi aria-[current]:text-ink pointer-coarse:min-h-11'

/** The frame of the staff's bar. The server renders it, because it contains nothing personal; `tools` do. */
export function StaffBar({
  address,
  waits,
  tools,
}: {
  /** Path and query of the page that it's on. */
  address: string
  /** How many cases wait, in the queue's link. */
  waits?: ReactNode
  tools?: ReactNode
}) {
  const here = placeAt(address)
  const inConsole = here && isQueue(here) && !address.startsWith('/myaccount')
  return (
    <header className="sticky top-0 z-20 flex min-h-14 min-w-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-card px-4 py-[5px] text-14 max-sm:gap-x-1 max-sm:px-3 min-[64rem]:justify-end print:hidden">
      <Logo />
      <nav aria-label="Staff" className="mr-auto ml-2 flex flex-wrap gap-[2px] max-[63.99rem]:hidden">
        {STAFF_PLACES.map((place) => {
          const { href, title, adminsOnly } = place
          const words = (
            <>
              {title}
              {isQueue(place) && waits}
            </>
          )
          if (place === here && inConsole)
            return (
              <span key={href} aria-current="page" className={`inline-flex ${look}`}>
                {words}
              </span>
            )
          return (
            <Link
              key={href}
              href={href}
              aria-current={place === here ? 'page' : undefined}
              className={`${adminsOnly ? 'hidden in-data-admin:inline-flex' : 'inline-flex'} ${look}`}
            >
              {words}
            </Link>
          )
        })}
      </nav>
      {tools}
    </header>
  )
}

export function Waits({ count }: { count: number | undefined }) {
  if (!count) return null
  const said = count === 1 ? 'consult or question waits for a vet' : 'consults and questions wait for a vet'
  return (
    <span
      title={`${count} ${said}`}
      className="grid min-h-5 min-w-5 place-items-center rounded-full bg-coral-fill px-[6px] py-[2px] leading-none font-semi text-on-coral tabular-nums"
    >
      {count}
      <span className="sr-only"> {said}</span>
    </span>
  )
}
