import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentProps, Fragment, type ReactNode, useEffect, useState } from 'react'
import { AlertProvider, useAlert } from '../ui/alert-bar.tsx'
import { LinkContext } from '../ui/link.tsx'
import { speakTheirs } from './language.ts'
import { keepOfflinePage } from './offline.ts'
import { makeQueryClient } from './query-client.ts'
import { onSessionChange, signedIn } from './session.ts'

/** So often it is looked whether the page has what it asked for. */
const SETTLES_MS = 3000

interface Props {
  link: ComponentProps<typeof LinkContext>['value']
  /** The address as its pattern. */
  path: string
  children: ReactNode
}

/** What pages that run React share, with the router or without. */
export function Running({ link, path, children }: Props) {
  useCounted(path)
  return (
    <LinkContext value={link}>
      <AlertProvider>
        <Queries>
          <Spoken>{children}</Spoken>
        </Queries>
      </AlertProvider>
    </LinkContext>
  )
}

/** Visits are counted here too once the visitor has agreed, which is asked on public pages; none of it loads where nothing counts. */
function useCounted(path: string) {
  useEffect(() => {
    if (document.documentElement.dataset['analytics'] === 'true')
      void import('./analytics.ts').then((it) => it.tellAnalytics({ event: 'page', path }))
  }, [path])
}

/** The document comes in English; in another language it is said anew as soon as the words are there. */
function Spoken({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<string>()
  useEffect(() => void speakTheirs().then(setLanguage), [])
  return <Fragment key={language}>{children}</Fragment>
}

function Queries({ children }: { children: ReactNode }) {
  const { show } = useAlert()
  const [client] = useState(() => makeQueryClient((message) => show(message, 'failed')))
  // Whoever comes after must not find what the one before was shown; what a visitor asked for stays.
  useEffect(() => {
    let was = signedIn()
    return onSessionChange(() => {
      if (was && !signedIn()) client.clear()
      was = signedIn()
    })
  }, [client])
  // On a slow network what the page itself asks for comes first.
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.readyState !== 'complete' || client.isFetching() > 0 || !navigator.onLine) return
      clearInterval(timer)
      keepOfflinePage()
    }, SETTLES_MS)
    return () => clearInterval(timer)
  }, [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
