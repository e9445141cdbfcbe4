import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { Island } from '../lib/island.tsx'
import { say } from '../ui/say.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import Menus from './menus.island.tsx'
import ScrollTop from './scroll-top.island.tsx'

/** What stands around every page but the consultation rooms. */
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
      <Main>{children}</Main>
      <Footer />
      <Island name="menus" of={Menus} props={{}} />
      <Island name="scroll-top" of={ScrollTop} props={{}} />
    </>
  )
}

/**
 * When a hydrated page gives way to the next without a new document, that one is read out and seen from its top;
 * going back is left to the browser.
 */
function Main({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const way = useNavigationType()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current !== pathname) {
      main.current?.focus({ preventScroll: true })
      if (way === 'PUSH') scrollTo(0, 0)
    }
    last.current = pathname
  }, [pathname, way])
  return (
    <main id="main" ref={main} tabIndex={-1} className="outline-none">
      {children}
    </main>
  )
}
