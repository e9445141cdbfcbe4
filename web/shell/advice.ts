import { type Advice, type AdviceName, listAdvice } from '#contract/content.ts'
import type { PageRequest } from '#contract/page.ts'
import { askOr } from '../lib/page-request.ts'

/** A list of advice, for a page that can do without it. */
export async function adviceOf(page: PageRequest, name: AdviceName): Promise<Advice | undefined> {
  return (await askOr(page, listAdvice, {}, [])).find(({ item }) => item === name)
}
