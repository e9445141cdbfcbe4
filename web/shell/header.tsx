import type { ReactNode } from 'react'
import { useRegion } from '../lib/site.ts'
import { LinkButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import { LiveDot } from './live-dot.tsx'
import { Logo } from './logo.tsx'

const ABOUT = [
  ['/about', sentence('About us')],
  ['/how-it-works', sentence('How it works')],
  ['/vet-clinic', sentence('Clinic triage')],
  ['/faq', sentence('FAQ')],
  ['/contact', sentence('Contact us')],
] as const

/** Beside the menu where there's room, and in it on phones. */
const SHOP = [
  ['/how-it-works#hiw-pricing2', sentence('Prices')],
  ['/petculture-plus', sentence('Membership')],
] as const

const ACCOUNT = [
  ['/myaccount', sentence('My account')],
  ['/myaccount/profile', sentence('Profile')],
  ['/admin', sentence('Admin Manager'), 'hidden in-data-admin:block'],
  ['/logout', sentence('Logout')],
] as const

/*
 * The page contains both corners. Only the browser knows who is signed in, and it marks <html> with data-in before the
 * first paint, and with data-staff and data-admin once it knows. Without scripts, the corner shows Login.
 */
const whenOut = 'in-data-in:hidden'
const whenIn = 'hidden in-data-in:block'

export function Header({ className }: { className: string }) {
  const { online } = useRegion()
  return (
    <header className={`sticky top-0 z-20 border-b border-line bg-paper print:static ${className}`}>
      <div className="wrap flex min-h-16 flex-wrap items-center gap-x-2 py-2">
        <Logo />
        <nav aria-label={say('Main')} className="ml-6 hidden items-center lg:flex">
          <Menu label={<Online words={online} />} links={ABOUT} side="left-0" />
          {SHOP.map(([href, words]) => (
            <Link key={href} href={href} className={navLink}>
              {say(words)}
            </Link>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-2 max-xs:gap-1">
          <Link href="/login" className={`${navLink} ${whenOut} max-lg:hidden`}>
            {say('Login')}
          </Link>
          <div className={`${whenIn} max-lg:hidden!`}>
            <Menu label={say('My account')} links={ACCOUNT} side="right-0" />
          </div>
          <LinkButton
            variant="urgent-soft"
            size={44}
            href="/how-it-works#hiw-pricing2"
            className="in-data-staff:hidden"
          >
            {say('Chat now')}
          </LinkButton>
          <LinkButton
            size={44}
            href="/myaccount?filter=available"
            className="hidden! in-data-staff:inline-flex!"
          >
            {say('Queue')}
          </LinkButton>
          <Sheet online={online} />
        </div>
      </div>
    </header>
  )
}

const navLink =
  'inline-flex min-h-11 items-center gap-2 rounded-small px-3 font-medium text-ink no-underline hover:bg-green-soft hover:text-green-soft-ink'
const menuRow =
  'flex min-h-11 items-center rounded-small px-3 text-ink no-underline hover:bg-green-soft hover:text-green-soft-ink'

type Links = readonly (readonly [href: string, words: Sentence, when?: string])[]

const Rows = ({ links, className = '' }: { links: Links; className?: string }) => (
  <ul className={className}>
    {links.map(([href, words, when]) => (
      <li key={href} className={when}>
        <Link href={href} className={menuRow}>
          {say(words)}
        </Link>
      </li>
    ))}
  </ul>
)

const Menu = ({ label, links, side }: { label: ReactNode; links: Links; side: string }) => (
  <details name="header" className="group relative">
    <summary className={`${navLink} list-none [&::-webkit-details-marker]:hidden`}>
      {label}
      <Icon name="chevron-down" size={16} className="transition-transform group-open:rotate-180" />
    </summary>
    <Rows
      links={links}
      className={`absolute top-full mt-2 min-w-56 rounded-card border border-line bg-card p-2 shadow-float ${side}`}
    />
  </details>
)

/** The phone's one menu, below the header. */
const Sheet = ({ online }: { online: string }) => (
  <details name="header" className="group lg:hidden">
    <summary
      aria-label={say('Menu')}
      className="-mr-2 grid size-11 list-none place-items-center rounded-full hover:bg-green-soft hover:text-green-soft-ink [&::-webkit-details-marker]:hidden"
    >
      <Icon name="menu" size={24} className="group-open:hidden" />
      <Icon name="x" size={24} className="hidden group-open:block" />
    </summary>
    <nav
      aria-label={say('Menu')}
      className="absolute inset-x-0 top-full max-h-[calc(100dvh-64px)] overflow-y-auto border-b border-line bg-card pt-3 pb-5 shadow-float"
    >
      <div className="wrap">
        <p className="mb-1 flex min-h-11 items-center gap-3 pl-1 font-medium text-ink-soft">
          <Online words={online} />
        </p>
        <Rows links={[...ABOUT, ...SHOP]} className="-mx-3 text-18 *:*:min-h-12" />
        <hr className="my-3 border-line" />
        <div className={whenOut}>
          <LinkButton variant="line" wide href="/login">
            {say('Login')}
          </LinkButton>
        </div>
        <div className={whenIn}>
          <Rows links={ACCOUNT} className="-mx-3 text-18 *:*:min-h-12" />
        </div>
      </div>
    </nav>
  </details>
)

const Online = ({ words }: { words: string }) => (
  <>
    <LiveDot />
    {say(words)}
  </>
)
