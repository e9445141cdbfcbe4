import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Call, Input, Output } from '#contract/call.ts'
import { api } from './api.ts'

interface Page {
  next: number | null
}
type Paged<C extends Call> = Output<C> extends Page ? C : never

/** A row that moved down the list between two requests is on both pages. The first one is newer. */
export const onceEach = <Row extends { id: number }>(rows: Row[]) =>
  rows.filter(({ id }, at) => rows.findIndex((one) => one.id === id) === at)

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
