import { createContext, useContext } from 'react'
import type { Output } from '#contract/call.ts'
import type { getAnnouncement } from '#contract/library.ts'
import type { PageRequest, Site } from '#contract/page.ts'
import { type Region, REGIONS } from '#contract/regions.ts'

/** What every page knows of the site it is a part of. */
export interface SiteData extends Site {
  cardKey: PageRequest['cardKey']
  year: number
}

export const siteData = ({ site, cardKey }: PageRequest): SiteData => ({
  ...site,
  cardKey,
  year: new Date().getFullYear(),
})

/** What the frame of a document knows besides. */
export interface FrameData extends SiteData {
  scripts: PageRequest['scripts']
  announcement?: Output<typeof getAnnouncement>
}

export const frameData = (page: PageRequest): FrameData => ({ ...siteData(page), scripts: page.scripts })

/** Given on the server beside the root's loader, which does not run for a form that was refused. */
export const FrameContext = createContext<FrameData | undefined>(undefined)

/** Given by the layout of all pages; a room, which runs without it, reads what its document says. */
export const SiteContext = createContext<SiteData | undefined>(undefined)

const fromDocument = (): SiteData => ({
  region: document.documentElement.dataset.region as Region,
  url: location.origin,
  others: [],
  cardKey: null,
  year: new Date().getFullYear(),
})

export const useSite = (): SiteData => useContext(SiteContext) ?? fromDocument()

/** The facts of the region whose host was asked: prices, hours, words. */
export const useRegion = () => REGIONS[useSite().region]
