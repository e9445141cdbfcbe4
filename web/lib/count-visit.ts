import { tellAnalytics } from './analytics.ts'
import { rowOf } from './page-rows.ts'

export const countVisit = (address: string) => tellAnalytics({ event: 'page', path: rowOf(address).path })
