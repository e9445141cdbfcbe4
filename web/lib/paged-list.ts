import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Call, Input, Output } from '#contract/call.ts'
import { api } from './api.ts'

interface Page {
  next: number | null
}
type Paged<C extends Call> = Output<C> extends Page ? C : never

/** A list of staff that loads page by page, newest first. */
export const pages = <C extends Call>(definition: Paged<C>, input: Input<C>) =>
  infiniteQueryOptions({
    queryKey: [definition.path, input],
    queryFn: ({ pageParam, signal }) =>
      api<C>(definition, { ...input, cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page as Page).next,
    refetchOnWindowFocus: 'always',
  })
