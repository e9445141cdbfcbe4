import { type ReactNode, useEffect, useRef } from 'react'
import { listen } from '../ui/listen.ts'
import { STAFF_PLACES } from '../queue/staff-places.ts'
import { Logo } from '../shell/logo.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { SkipLink } from '../shell/skip-link.tsx'

interface Place {
  href: string
  title: string
  icon: IconName
}
type View = Place & { group: string }

const OTHERS: [group: string, places: Place[]][] = [
  ['Consults', STAFF_PLACES.filter(({ adminsOnly, inAdmin }) => !adminsOnly && !inAdmin)],
  [
    '',
    [
      { href: '/myaccount', title: 'My Account', icon: 'user-round' },
      { href: '/logout', title: 'Logout', icon: 'log-out' },
    ],
  ],
]

const Places = ({ views, current }: { views: readonly View[]; current: string }) => (
  <nav aria-label="Admin Manager" className="stack gap-4 text-14">
    {[...Map.groupBy(views, ({ group }) => group), ...OTHERS].map(([group, places]) => (
      <div key={places[0]!.href} className="stack gap-[2px]">
        {group && <h2 className="px-3 pb-1 text-14 font-medium text-ink-soft">{group}</h2>}
        {places.map(({ href, title, icon }) => (
          <Link
            key={href}
            href={href}
            aria-current={href === current ? 'page' : undefined}
            className="flex min-h-9 items-center gap-3 rounded-small px-3 font-medium text-ink no-underline hover:bg-paper-sunk aria-[current]:bg-green-soft aria-[current]:font-semi aria-[current]:text-green-soft-ink pointer-coarse:min-h-11"
          >
            <Icon name={icon} size={20} />
            {title}
          </Link>
        ))}
      </div>
    ))}
  </nav>
)

/** The frame of every admin page: its places at the left, or in a menu where there's no room. */
export function AdminFrame({
  views,
  current,
  children,
}: {
  views: readonly View[]
  current: View
  children: ReactNode
}) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !menu.current?.open) return
      menu.current.open = false
      menu.current.querySelector('summary')?.focus()
    }
    // The menu would hide what has the focus.
    const leave = ({ target }: Event) => {
      if (menu.current && !menu.current.contains(target as Node)) menu.current.open = false
    }
    const stops = [listen(window, 'keydown', press), listen(window, 'focusin pointerdown', leave)]
    return () => stops.forEach((stop) => stop())
  }, [])
  return (
    <div className="min-h-dvh min-[80rem]:grid min-[80rem]:grid-cols-[14.5rem_minmax(0,1fr)]">
      <SkipLink />
      <aside className="sticky top-0 stack h-dvh content-start gap-4 overflow-y-auto border-r border-line bg-card px-3 pt-4 pb-6 max-[79.99rem]:hidden">
        <div className="px-3">
          <Logo />
        </div>
        <Places views={views} current={current.href} />
      </aside>
      <header className="sticky top-0 z-20 border-b border-line bg-card min-[80rem]:hidden">
        <div className="mx-auto flex min-h-14 max-w-[1200px] flex-wrap items-center justify-between gap-x-3 px-5 max-sm:px-4">
          <Logo />
          <details
            // Closes the menu on the next page.
            key={current.href}
            ref={menu}
            className="group"
          >
            <summary className="inline-flex min-h-11 list-none items-center gap-2 font-medium [&::-webkit-details-marker]:hidden">
              {current.title}
              <span className="sr-only">: admin menu</span>
              <Icon name="menu" className="group-open:hidden" />
              <Icon name="x" className="hidden group-open:block" />
            </summary>
            <div className="absolute inset-x-0 top-full max-h-[calc(100dvh-3.5rem)] overflow-y-auto border-b border-line bg-card px-4 py-4 shadow-float">
              <Places views={views} current={current.href} />
            </div>
          </details>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="min-w-0">
        <div className="stack mx-auto max-w-[1200px] gap-5 px-5 pt-6 pb-16 max-sm:px-4">{children}</div>
      </main>
    </div>
  )
}
