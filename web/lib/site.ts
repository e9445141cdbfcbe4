import { useRouteLoaderData } from 'react-router'
import type { PageRequest, Site } from '#contract/page.ts'
import { REGIONS } from '#contract/regions.ts'

/** What the root's loader hands to every page. */
export interface SiteData extends Site {
  scripts: PageRequest['scripts']
  year: number
}

const fallback: SiteData = { region: 'za', url: '', others: [], scripts: { head: '', islands: '' }, year: 0 }

export const useSite = () => useRouteLoaderData<SiteData>('root') ?? fallback

/** The facts of the region whose host was asked: prices, hours, words. */
export const useRegion = () => REGIONS[useSite().region]
