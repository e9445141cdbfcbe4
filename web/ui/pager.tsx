import { useRef } from 'react'
import { useFocusAfter } from './focus-after.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { say } from './say.ts'

type PagerProps = { label: string; page: number; pages: number; href: (page: number) => string }

const look =
  'inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-full px-3 font-medium text-ink no-underline tabular-nums hover:bg-green-soft hover:text-green-soft-ink focus-visible:rounded-full'

/** First, last, and the pages around the current one. 0 is a gap. */
function pagesShown(page: number, pages: number) {
  const wanted = [1, page - 1, page, page + 1, pages].filter((n) => n >= 1 && n <= pages)
  const sorted = [...new Set(wanted)].toSorted((a, b) => a - b)
  return sorted.flatMap((n, at) => {
    const before = sorted[at - 1] ?? n
    if (n - before === 2) return [n - 1, n]
    return n - before > 2 ? [0, n] : [n]
  })
}

export function pageIn(asked: URLSearchParams) {
  const page = asked.get('page') ?? ''
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1
}

export function Pager({ label, page, pages, href }: PagerProps) {
  const nav = useRef<HTMLElement>(null)
  // The link to the next page disappears on the last one, and the link to the previous page on the first.
  const toOther = () => void nav.current?.querySelector<HTMLElement>('a[rel]')?.focus({ preventScroll: true })
  useFocusAfter(page < pages, toOther)
  useFocusAfter(page > 1, toOther)
  if (pages < 2) return null
  return (
    <nav ref={nav} aria-label={label} className="flex items-center justify-between gap-2 sm:justify-center">
      {page > 1 ? (
        <Link href={href(page - 1)} rel="prev" className={look}>
          <Icon name="chevron-left" />
          {say('Previous')}
        </Link>
      ) : (
        <span className="sm:hidden" />
      )}
      <span className="text-14 text-ink-soft sm:hidden">
        {say('Page {page} of {pages}', { page, pages })}
      </span>
      <ul className="hidden items-center gap-1 sm:flex">
        {pagesShown(page, pages).map((n, at) => (
          <li key={n || `gap-${at}`}>
            {n ? (
              <Link
                href={href(n)}
                aria-current={n === page ? 'page' : undefined}
                aria-label={say('Page {page}', { page: n })}
                className={`${look} aria-[current]:bg-green-soft aria-[current]:font-semi aria-[current]:text-green-soft-ink`}
              >
                {n}
              </Link>
            ) : (
              <span className="inline-grid min-w-6 place-items-center text-ink-soft">…</span>
            )}
          </li>
        ))}
      </ul>
      {page < pages ? (
        <Link href={href(page + 1)} rel="next" className={look}>
          {say('Next')}
          <Icon name="chevron-right" />
        </Link>
      ) : (
        <span className="sm:hidden" />
      )}
    </nav>
  )
}
