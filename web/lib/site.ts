import { createContext, useContext } from 'react'
import type { Output } from '#contract/call.ts'
import type { getAnnouncement } from '#contract/library.ts'
import type { PageRequest, Site } from '#contract/page.ts'
import { type Region, REGIONS } from '#contract/regions.ts'

/** What the root's loader hands to every page. */
export interface SiteData extends Site {
  scripts: PageRequest['scripts']
  cardKey: PageRequest['cardKey']
  year: number
  announcement?: Output<typeof getAnnouncement>
}

export const siteData = ({ site, scripts, cardKey }: PageRequest): SiteData => ({
  ...site,
  scripts,
  cardKey,
  year: new Date().getFullYear(),
})

/** Given by the layout of all pages; a room, which runs without it, reads what its document says. */
export const SiteContext = createContext<SiteData | undefined>(undefined)

const fromDocument = (): SiteData => ({
  region: document.documentElement.dataset.region as Region,
  url: location.origin,
  others: [],
  scripts: { head: '', islands: '', room: [] },
  cardKey: null,
  year: new Date().getFullYear(),
})

export const useSite = (): SiteData => useContext(SiteContext) ?? fromDocument()

/** The facts of the region whose host was asked: prices, hours, words. */
export const useRegion = () => REGIONS[useSite().region]
