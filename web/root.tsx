import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { preload } from 'react-dom'
import {
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  Meta,
  type MetaArgs,
  type MiddlewareFunction,
  Outlet,
  redirectDocument,
  Scripts,
  useLocation,
  useNavigationType,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import { getAnnouncement } from '#contract/library.ts'
import { queueStatus } from '#contract/queue.ts'
import { REGIONS } from '#contract/regions.ts'
import styles from './app.css?url'
import { LateIsland } from './lib/island.tsx'
import { rowOf, loadsDocument } from './lib/page-rows.ts'
import { Link } from './lib/link.tsx'
import { notFoundMeta, pageMeta } from './lib/meta.ts'
import { askOr, pageOf } from './lib/page-request.ts'
import { ReactPage } from './lib/react-page.tsx'
import { FrameContext, type FrameData, frameData, SiteContext } from './lib/site.ts'
import { Announcement } from './shell/announcement.tsx'
import { Broken } from './shell/broken.tsx'
import { ConsultStrip } from './shell/consult-strip.tsx'
import { NeedsScript } from './shell/needs-script.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { StaffHeader } from './queue/staff-header.tsx'
import figtree from './ui/figtree-basic.woff2?url'
import { say } from './ui/say.ts'

export async function loader({ context, request }: LoaderFunctionArgs) {
  const page = pageOf(context)
  const isPublic = rowOf(new URL(request.url).pathname).kind === 'public'
  const [announcement, queue] = await Promise.all([
    isPublic ? askOr(page, getAnnouncement, {}, null) : null,
    isPublic ? askOr(page, queueStatus, {}, null) : null,
  ])
  return { ...frameData(page), announcement, queue }
}

/** The loader's data never changes while a document is open. */
export const shouldRevalidate = () => false

/** A page that needs other headers is always loaded as a new document. */
export const clientMiddleware: MiddlewareFunction[] = [
  ({ request }) => {
    const { pathname, search, hash } = new URL(request.url)
    if (loadsDocument(location.pathname, pathname)) throw redirectDocument(pathname + search + hash)
  },
]

const isNotFound = (error: unknown) => isRouteErrorResponse(error) && error.status === 404

export const meta = ({ error }: MetaArgs) =>
  isNotFound(error) ? notFoundMeta() : pageMeta(say('A vet by text or video'))

/** The loader's data. If no loader ran, as after a refused form, it comes from the server's context. */
function useFrame(): FrameData {
  const given = useContext(FrameContext)
  return useRouteLoaderData<FrameData>('root') ?? given!
}

export function Layout({ children }: { children: ReactNode }) {
  const site = useFrame()
  const { region, url, others, scripts, analytics, announcement } = site
  const { pathname } = useLocation()
  const { kind, built, secret, alone } = rowOf(pathname)
  const isMissing = isNotFound(useRouteError())
  const isListed = kind === 'public' && built && !secret && !isMissing
  const address = (site: string) => site + pathname
  // The first paint waits for these, so they're requested before the page's many modules.
  if (!scripts.inline) preload(scripts.head, { as: 'script' })
  return (
    // The head script marks the root before React runs.
    <html
      lang={REGIONS[region].lang}
      data-region={region}
      data-analytics={analytics}
      data-announcement={announcement?.id}
      data-islands={kind === 'public' ? scripts.islands : undefined}
      data-room={alone === 'purchase' ? scripts.alone.room?.join(' ') : undefined}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          // In a room the message box stays above the phone's keyboard.
          content={`width=device-width, initial-scale=1, viewport-fit=cover${kind === 'room' ? ', interactive-widget=resizes-content' : ''}`}
        />
        {scripts.inline ? <script>{scripts.inline}</script> : <script src={scripts.head || undefined} />}
        <link rel="preload" as="font" type="font/woff2" href={figtree} crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <meta name="theme-color" content="#fbfaf6" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#101513" media="(prefers-color-scheme: dark)" />
        {isListed ? (
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
          </>
        ) : (
          <meta name="robots" content="noindex" />
        )}
        {/* The preview of a shared address; people share purchase pages too. */}
        {(isListed || kind === 'paying') && (
          <>
            <meta property="og:url" content={address(url)} />
            <meta property="og:type" content="website" />
            <meta property="og:site_name" content="VetChat" />
            <meta property="og:locale" content={REGIONS[region].lang.replace('-', '_')} />
            <meta property="og:image" content={`${url}/og.png`} />
            <meta property="og:image:width" content="1200" />
            <meta property="og:image:height" content="630" />
            <meta property="og:image:alt" content="VetChat: a vet by text or video" />
            <meta name="twitter:card" content="summary_large_image" />
          </>
        )}
        <link rel="stylesheet" href={styles} precedence="default" />
        <Meta />
      </head>
      <body>
        <SiteContext value={site}>{children}</SiteContext>
        {kind === 'public' ? null : alone ? (
          scripts.alone[alone]?.map((part) => (
            // On a slow connection the stylesheet loads first, and with it the text.
            <script key={part} type="module" src={part} fetchPriority="low" />
          ))
        ) : (
          <Scripts />
        )}
      </body>
    </html>
  )
}

/** Pages for reading, where the newsletter is offered. */
const READING = /^\/(resources?|videos)\b/

export default function App() {
  const { pathname, search } = useLocation()
  const { kind, path, built, secret, alone } = rowOf(pathname)
  const { analytics, announcement } = useFrame()
  // Every other page's script leaves out what only public pages need.
  if (kind === 'public')
    return (
      <>
        {import.meta.env.SSR && announcement && <Announcement {...announcement} />}
        <Shell under={import.meta.env.SSR && <ConsultStrip />}>
          <Outlet />
        </Shell>
        {import.meta.env.SSR && !secret && (
          <>
            {/* An address without a page may contain anything, so it isn't counted. */}
            {analytics && built && <LateIsland name="consent" />}
            {READING.test(path) && <LateIsland name="newsletter" />}
          </>
        )}
      </>
    )
  if (alone) return <Outlet />
  return (
    <ReactPage link={Link} path={path}>
      {kind === 'admin' || kind === 'clinic' ? (
        <>
          <NeedsScript />
          <Outlet />
        </>
      ) : (
        <Shell staff={<StaffHeader address={pathname + search} />}>
          <NeedsScript />
          <Outlet />
        </Shell>
      )}
      <Arrival />
    </ReactPage>
  )
}

/**
 * When a hydrated page changes to the next without a new document, the new page is read out and shown from its top.
 * Going back is left to the browser.
 */
function Arrival() {
  const { pathname } = useLocation()
  const way = useNavigationType()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current !== pathname) {
      document.getElementById('main')?.focus({ preventScroll: true })
      if (way === 'PUSH') scrollTo(0, 0)
    }
    last.current = pathname
  }, [pathname, way])
  return null
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const { reference } = useFrame()
  return <Shell>{isNotFound(error) ? <NotFound /> : <Broken error={error} reference={reference} />}</Shell>
}
