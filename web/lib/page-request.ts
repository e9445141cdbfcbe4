import { createContext, type RouterContextProvider } from 'react-router'
import type { Call, Input, Output } from '#contract/call.ts'
import type { PageRequest } from '#contract/page.ts'

const pageRequest = createContext<PageRequest>()

export const fill = (context: RouterContextProvider, page: PageRequest) => context.set(pageRequest, page)

/** What the server knows about this request, for loaders: region, site, and ask() for contract calls. */
export const pageOf = (context: Readonly<RouterContextProvider>): PageRequest => context.get(pageRequest)

/** The call's answer, for a part that the page can do without. If it fails, that is logged and `otherwise` used. */
export const askOr = <C extends Call, T>(page: PageRequest, definition: C, input: Input<C>, otherwise: T) =>
  page.ask(definition, input).catch((error: unknown): Output<C> | T => {
    page.report(error)
    return otherwise
  })
