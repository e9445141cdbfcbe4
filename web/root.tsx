import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import { QueryClientProvider } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { preload } from 'react-dom'
import {
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  Meta,
  type MiddlewareFunction,
  Outlet,
  redirectDocument,
  Scripts,
  useLocation,
} from 'react-router'
import { getAnnouncement } from '#contract/library.ts'
import { REGIONS } from '#contract/regions.ts'
import styles from './app.css?url'
import { LateIsland } from './lib/island.tsx'
import { rowOf, loadsDocument } from './lib/kinds.ts'
import { speakTheirs } from './lib/language.ts'
import { Link } from './lib/link.tsx'
import { pageMeta } from './lib/meta.ts'
import { pageOf } from './lib/page-request.ts'
import { makeQueryClient } from './lib/query-client.ts'
import { onSessionChange, signedIn } from './lib/session.ts'
import { siteData, useSite } from './lib/site.ts'
import { Announcement } from './shell/announcement.tsx'
import { Broken } from './shell/broken.tsx'
import { NeedsScript } from './shell/needs-script.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { AlertProvider, useAlert } from './ui/alert-bar.tsx'
import { LinkContext } from './ui/link.tsx'
import { say } from './ui/say.ts'

export async function loader({ context, request }: LoaderFunctionArgs) {
  const page = pageOf(context)
  const { kind } = rowOf(new URL(request.url).pathname)
  const announcement =
    kind === 'public'
      ? await page.ask(getAnnouncement, {}).catch((error) => {
          page.report(error)
          return null
        })
      : null
  return { ...siteData(page), announcement }
}

/** What the loader says never changes while a document stands. */
export const shouldRevalidate = () => false

/** However a page is left, what needs other headers is loaded as a document of its own. */
export const clientMiddleware: MiddlewareFunction[] = [
  ({ request }) => {
    const { pathname, search, hash } = new URL(request.url)
    if (loadsDocument(location.pathname, pathname)) throw redirectDocument(pathname + search + hash)
  },
]

export const meta = () => pageMeta(say('A vet by text or video, at any hour'))

export function Layout({ children }: { children: ReactNode }) {
  const { region, url, others, scripts, analytics, announcement } = useSite()
  const { pathname } = useLocation()
  const { kind, built, secret } = rowOf(pathname)
  const address = (site: string) => site + pathname
  // What the first paint waits for is asked for before the page's own modules, of which there are many.
  if (!scripts.inline) preload(scripts.head, { as: 'script' })
  return (
    // The head script marks the root before React comes.
    <html
      lang={REGIONS[region].lang}
      data-region={region}
      data-analytics={analytics}
      data-announcement={announcement?.id}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          // In a room the box to write in stays above a phone's keyboard.
          content={`width=device-width, initial-scale=1, viewport-fit=cover${kind === 'room' ? ', interactive-widget=resizes-content' : ''}`}
        />
        {scripts.inline ? <script>{scripts.inline}</script> : <script src={scripts.head || undefined} />}
        <link rel="preload" as="font" type="font/woff2" href={figtree} crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <meta name="theme-color" content="#fbfaf6" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#101513" media="(prefers-color-scheme: dark)" />
        {kind === 'public' && built && !secret ? (
          <>
            <link rel="canonical" href={address(url)} />
            {others.length > 0 &&
              [{ region, url }, ...others].map((site) => (
                <link
                  key={site.region}
                  rel="alternate"
                  hrefLang={REGIONS[site.region].lang}
                  href={address(site.url)}
                />
              ))}
            <meta property="og:url" content={address(url)} />
            <meta property="og:type" content="website" />
            <meta property="og:image" content={`${url}/og.png`} />
            <meta name="twitter:card" content="summary_large_image" />
          </>
        ) : (
          <meta name="robots" content="noindex" />
        )}
        <link rel="stylesheet" href={styles} precedence="default" />
        <Meta />
      </head>
      <body>
        {children}
        {kind === 'public' ? <script type="module" src={scripts.islands} /> : <Scripts />}
      </body>
    </html>
  )
}

export default function App() {
  const { kind, secret } = rowOf(useLocation().pathname)
  const { analytics, announcement } = useSite()
  // What only public pages have is no part of the script of the others.
  if (kind === 'public')
    return (
      <>
        {import.meta.env.SSR && announcement && <Announcement {...announcement} />}
        <Shell>
          <Outlet />
        </Shell>
        {import.meta.env.SSR && !secret && (
          <>
            {analytics && <LateIsland name="consent" />}
            <LateIsland name="newsletter" />
          </>
        )}
      </>
    )
  return (
    <Hydrated>
      {kind === 'room' ? (
        <Outlet />
      ) : (
        <Shell>
          <NeedsScript />
          <Outlet />
        </Shell>
      )}
    </Hydrated>
  )
}

/** What pages that run React share. */
function Hydrated({ children }: { children: ReactNode }) {
  useCounted()
  return (
    <LinkContext value={Link}>
      <AlertProvider>
        <Queries>
          <Spoken>{children}</Spoken>
        </Queries>
      </AlertProvider>
    </LinkContext>
  )
}

/** The document comes in English; in another language it is said anew as soon as the words are there. */
function Spoken({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<string>()
  useEffect(() => void speakTheirs().then(setLanguage), [])
  return <Fragment key={language}>{children}</Fragment>
}

/** Visits are counted here too once the visitor has agreed, which is asked on public pages; none of it loads where nothing counts. */
function useCounted() {
  const { analytics } = useSite()
  const { path } = rowOf(useLocation().pathname)
  useEffect(() => {
    if (analytics) void import('./lib/analytics.ts').then((it) => it.tellAnalytics({ event: 'page', path }))
  }, [analytics, path])
}

function Queries({ children }: { children: ReactNode }) {
  const { show } = useAlert()
  const [client] = useState(() => makeQueryClient((message) => show(message, 'failed')))
  // Whoever comes after must not find what the one before was shown.
  useEffect(() => onSessionChange(() => void (signedIn() || client.clear())), [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const unknown = isRouteErrorResponse(error) && error.status === 404
  return <Shell>{unknown ? <NotFound /> : <Broken error={error} />}</Shell>
}
