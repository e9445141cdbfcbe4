import type { Call, Input, Output } from './call.ts'
import type { Region } from './regions.ts'

/** What the server and the built pages tell each other inside the process; neither imports the other. */

/** Public pages are plain, cached HTML; the other kinds are hydrated and differ in what their headers allow. */
export type PageKind = 'public' | 'account' | 'paying' | 'room' | 'admin' | 'clinic'

/** Entry scripts that replace the router, by the build that makes them: `web/entry.NAME.tsx`. They run on Preact. */
export const ALONE = {
  shop: ['room', 'purchase', 'subscribe', 'upgrade'],
  own: ['my-account', 'profile', 'care', 'login'],
} as const
export type Alone = (typeof ALONE)[keyof typeof ALONE][number]

export interface PageRow {
  path: string
  kind: PageKind
  /** Without a page the address answers the not-found page. */
  built: boolean
  /** Its content depends on ?page=. */
  paged?: true
  /** Its address contains a code, or it is the page for devices that are offline: neither cached nor shown to search engines. */
  secret?: true
  /** Runs with this entry script instead of the router: every link to it loads a document. */
  alone?: Alone
  /** What this page's headers allow beyond those of its kind. */
  opens?: 'camera' | 'expo' | 'videos'
}

export interface Reach {
  phone?: string
  whatsapp?: string
  email?: string
}

export interface Site {
  region: Region
  url: string
  others: { region: Region; url: string }[]
  social?: { name: string; url: string }[]
  /** The region's shop whose gift card new members get; without one there is no gift, and no page mentions it. */
  shop?: string
  /** Ways to reach one of our people. Those that aren't configured aren't shown. */
  reach?: Reach
  /** Where the policy wording can be read. */
  wording?: string
  /** The seller, its address and its tax number. */
  legal?: string
  /** Whether visitors may be asked for consent to analytics. */
  analytics?: true
}

export interface PageRequest {
  site: Site
  nonce: string
  /** The request's id in the log. */
  reference: string
  /**
   * Addresses of the head script, which marks who is signed in, the islands' runtime, and each entry script's files.
   * Cached pages inline the head script to save a request before the first paint; their policy contains its hash.
   */
  scripts: { head: string; islands: string; alone: Partial<Record<Alone, string[]>>; inline?: string }
  /** The payment provider's public key; null while the sandbox replaces it. */
  cardKey: string | null
  /** Whether this visitor can pay by card: with the provider, or with the sandbox if they may reach it. */
  takesCards: boolean
  /** The external mailing list that the form on /vet-expo posts to, its hidden tags and the name of its honeypot field. */
  expo: { url: string; tags: string; trap: string } | null
  /** Whether this visitor may read the sandbox's mailbox and its SMS. */
  reachesSandbox: Record<'mail' | 'sms', boolean>
  /** Makes a call without a token, inside the process. */
  ask<C extends Call>(definition: C, input: Input<C>): Promise<Output<C>>
  /** Logs an unexpected error. */
  report(error: unknown): void
}

/** The built pages. `Asked` and `Answered` are Request and Response, which the contract's types don't include. */
export interface WebBundle<Asked, Answered> {
  entry: {
    module: {
      rowOf(pathname: string): PageRow
      /** Paths of public pages that search engines should list. */
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
