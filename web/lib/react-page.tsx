import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentProps, Fragment, type ReactNode, useEffect, useState } from 'react'
import { AlertProvider, useAlert } from '../ui/alert-bar.tsx'
import { LinkContext } from '../ui/link.tsx'
import { claimTab } from './claim-tab.ts'
import { speakTheirs } from './language.ts'
import { userId } from './last-shown.ts'
import { keepOfflinePage } from './offline.ts'
import { makeQueryClient } from './query-client.ts'
import { onSessionChange, signedIn } from './session.ts'

/** How often to check whether the page has loaded its data. */
const SETTLES_MS = 3000

interface Props {
  link: ComponentProps<typeof LinkContext>['value']
  /** The page's address, or its pattern, by which visits are counted. */
  path: string
  children: ReactNode
}

/** Shared by all pages that run React, with or without the router. */
export function ReactPage({ link, path, children }: Props) {
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

/** Counts visits once the visitor has agreed on a public page. Where visits aren't counted, this loads nothing. */
function useCounted(path: string) {
  useEffect(() => {
    if (document.documentElement.dataset['analytics'] === 'true')
      void import('./count-visit.ts').then(({ countVisit }) => countVisit(path))
  }, [path])
}

/** The document arrives in English and is translated as soon as the sentences have loaded. */
function Spoken({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<string>()
  useEffect(() => void speakTheirs().then(setLanguage), [])
  return <Fragment key={language}>{children}</Fragment>
}

function Queries({ children }: { children: ReactNode }) {
  const { show } = useAlert()
  const [client] = useState(() => makeQueryClient((message, advice) => show(message, 'failed', advice)))
  // The next person must not see the previous person's data or drafts. Public data stays.
  useEffect(() => {
    let was = signedIn()
    const look = () => {
      if (was && !signedIn()) client.clear()
      was = signedIn()
      const id = userId()
      if (id !== undefined) claimTab(id)
    }
    look()
    return onSessionChange(look)
  }, [client])
  // On a slow network, the page's own requests come first.
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
