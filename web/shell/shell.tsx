import type { ReactNode } from 'react'
import { Island } from '../lib/island.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import Menus from './menus.island.tsx'
import ScrollTop from './scroll-top.island.tsx'
import { SkipLink } from './skip-link.tsx'

/** Staff see their own header instead of the shop's, and no footer. */
const NOT_FOR_STAFF = 'in-data-staff:hidden'

interface Props {
  /** The header that staff see on this page instead. */
  staff?: ReactNode
  /** Below the header. */
  under?: ReactNode
  children: ReactNode
}

/** Surrounds every page except the consultation rooms. */
export function Shell({ staff, under, children }: Props) {
  const shop = staff ? NOT_FOR_STAFF : ''
  return (
    <>
      <SkipLink />
      {staff}
      <Header className={shop} />
      {under}
      <main
        id="main"
        tabIndex={-1}
        className={`${staff ? 'in-data-staff:[--gutter:24px] in-data-staff:[--page:1232px] max-sm:in-data-staff:[--gutter:16px]' : ''}`}
      >
        {children}
      </main>
      <Footer className={shop} />
      <Island name="menus" of={Menus} props={{}} />
      <Island name="scroll-top" of={ScrollTop} props={{}} />
    </>
  )
}
