import { createContext, useContext } from 'react'
import type { Output } from '#contract/call.ts'
import type { getAnnouncement } from '#contract/library.ts'
import type { PageRequest, Site } from '#contract/page.ts'
import type { queueStatus } from '#contract/queue.ts'
import { type Region, REGIONS } from '#contract/regions.ts'

export interface SiteData extends Site {
  cardKey: PageRequest['cardKey']
  takesCards: boolean
  year: number
  /** The queue and the vets on duty, on public pages only. */
  queue?: Output<typeof queueStatus> | null
}

export const siteData = ({ site, cardKey, takesCards }: PageRequest): SiteData => ({
  ...site,
  cardKey,
  takesCards,
  year: new Date().getFullYear(),
})

/** What only the document's frame needs. */
export interface FrameData extends SiteData {
  scripts: PageRequest['scripts']
  reference: string
  announcement?: Output<typeof getAnnouncement>
}

export const frameData = (page: PageRequest): FrameData => ({
  ...siteData(page),
  scripts: page.scripts,
  reference: page.reference,
})

/** Provided by the server too, because the root's loader doesn't run after a refused form. */
export const FrameContext = createContext<FrameData | undefined>(undefined)

/** Provided by the layout of all pages. A room has no such layout and reads it from its document. */
export const SiteContext = createContext<SiteData | undefined>(undefined)

const fromDocument = (): SiteData => ({
  region: document.documentElement.dataset.region as Region,
  url: location.origin,
  others: [],
  cardKey: null,
  takesCards: true,
  year: new Date().getFullYear(),
})

export const useSite = (): SiteData => useContext(SiteContext) ?? fromDocument()

/** The facts of this host's region: prices, hours, sentences. */
export const useRegion = () => REGIONS[useSite().region]
