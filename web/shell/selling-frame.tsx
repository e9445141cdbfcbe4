import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { say } from '../ui/say.ts'
import { Logo } from './logo.tsx'
import { SkipLink } from './skip-link.tsx'
import { SmallPrint, smallPrint } from './small-print.tsx'

/** Surrounds pages that sell. Their only links away are the logo and what a buyer may want to read first. */
export const SellingFrame = ({ children }: { children: ReactNode }) => (
  <>
    <SkipLink />
    <header className="sticky top-0 z-20 border-b border-line bg-paper print:static">
      <div className="wrap flex min-h-16 flex-wrap items-center justify-between gap-x-4 py-2">
        <Logo />
        <span className="inline-flex items-center gap-2 text-14 text-ink-soft">
          <Icon name="lock" size={16} />
          {say('Secure checkout')}
        </span>
      </div>
    </header>
    <main id="main" tabIndex={-1}>
      {children}
    </main>
    <footer className="border-t border-line text-14 text-ink-soft">
      <div className="wrap flex flex-wrap gap-x-6 py-3">
        <SmallPrint />
        <Link href="/contact" className={smallPrint}>
          {say('Contact us')}
        </Link>
      </div>
    </footer>
  </>
)
