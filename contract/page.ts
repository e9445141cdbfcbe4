import type { Call, Input, Output } from './call.ts'
import type { Region } from './regions.ts'

/** What the server and the built pages say to each other inside the process: neither imports the other. */

/** Public pages are plain HTML that is kept; the other kinds are hydrated and differ in what their headers allow. */
export type PageKind = 'public' | 'account' | 'paying' | 'room' | 'admin'

/** The ways in without the router: `web/entry.NAME.tsx`. */
export const ALONE = ['room', 'purchase', 'subscribe', 'upgrade'] as const
export type Alone = (typeof ALONE)[number]

export interface PageRow {
  path: string
  kind: PageKind
  /** Not there yet: the address answers the not-found page. */
  built: boolean
  /** The page number in ?page= is part of the page. */
  paged: boolean
  /** Its address holds a code, or it is for a device without a line: it is neither kept nor shown to search engines. */
  secret: boolean
  /** Runs without the router, by this way in: however it is reached, its document is loaded. */
  alone: Alone | undefined
  /** What this page's headers allow beyond those of its kind. */
  opens: 'camera' | 'expo' | 'videos' | undefined
}

export interface Site {
  region: Region
  url: string
  others: { region: Region; url: string }[]
  social?: { name: string; url: string }[]
  /** The shop whose gift card a new member gets; without one there is no gift, and nothing speaks of it. */
  shop?: string
  /** Whether a visitor may be asked to be counted. */
  analytics?: true
}

export interface PageRequest {
  site: Site
  nonce: string
  /**
   * Addresses of the script that marks who is signed in, of the islands' runtime and of what each way in without the
   * router runs. A page that is kept holds the first one's own words, so that its first paint waits for one answer
   * less; its policy names their hash.
   */
  scripts: { head: string; islands: string; alone: Record<Alone, string[]>; inline?: string }
  /** The payment provider's public key; null while its sandbox stands in. */
  cardKey: string | null
  /** The list elsewhere that the form of /vet-expo goes to, its hidden words and the name of its trap for machines. */
  expo: { url: string; tags: string; trap: string } | null
  /** Whether this visitor may read the sandbox's mailbox. */
  reachesSandbox: boolean
  /** A contract call as nobody, without the network. */
  ask<C extends Call>(definition: C, input: Input<C>): Promise<Output<C>>
  /** Logs a surprise. */
  report(error: unknown): void
}

/** The built pages. What is asked and answered are the platform's Request and Response, which both floors know and this one does not. */
export interface WebBundle<Asked, Answered> {
  entry: {
    module: {
      rowOf(pathname: string): PageRow
      /** Public pages that stand under one address. */
      listed: string[]
      answer(
        bundle: unknown,
        mode: 'development' | 'production',
        request: Asked,
        page: PageRequest,
      ): Promise<Answered>
    }
  }
}
