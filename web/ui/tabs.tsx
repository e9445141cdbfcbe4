import type { ReactNode } from 'react'
import { Link } from './link.tsx'

/** Filters as links, so that the choice is in the address. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]">
    {children}
  </nav>
)

export const Tab = ({
  href,
  current,
  children,
}: {
  href: string
  current?: boolean
  children: ReactNode
}) => (
  <Link
    href={href}
    aria-current={current ? 'page' : undefined}
    className="relative inline-flex min-h-12 min-w-12 flex-none items-center justify-center gap-2 px-3 font-medium whitespace-nowrap text-ink-soft no-underline after:absolute after:inset-x-3 after:bottom-0 after:h-[3px] after:rounded-t-[3px] hover:text-ink focus-visible:-outline-offset-3 aria-[current]:font-semi aria-[current]:text-green aria-[current]:after:bg-green"
  >
    {children}
  </Link>
)
