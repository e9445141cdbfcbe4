import { createContext, type RouterContextProvider } from 'react-router'
import type { PageRequest } from '#contract/page.ts'

const pageRequest = createContext<PageRequest>()

export const fill = (context: RouterContextProvider, page: PageRequest) => context.set(pageRequest, page)

/** What the server knows about this request, for loaders: region, site, and ask() for contract calls. */
export const pageOf = (context: Readonly<RouterContextProvider>): PageRequest => context.get(pageRequest)
