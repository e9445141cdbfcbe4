import type { ReactNode } from 'react'
import { Island } from '../lib/island.tsx'
import { say } from '../ui/say.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import Menus from './menus.island.tsx'
import ScrollTop from './scroll-top.island.tsx'

/** Surrounds every page except the consultation rooms. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="absolute -top-20 left-4 z-60 rounded-small bg-card px-5 py-3 font-semi text-green focus:top-2.5 focus:shadow-float"
      >
        {say('Skip to content')}
      </a>
      <Header />
      <main id="main" tabIndex={-1} className="outline-none">
        {children}
      </main>
      <Footer />
      <Island name="menus" of={Menus} props={{}} />
      <Island name="scroll-top" of={ScrollTop} props={{}} />
    </>
  )
}
