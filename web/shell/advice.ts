import { type Advice, type AdviceName, listAdvice } from '#contract/content.ts'
import type { PageRequest } from '#contract/page.ts'

/** A list of advice, for a page that works without it. */
export async function adviceOf(page: PageRequest, name: AdviceName): Promise<Advice | undefined> {
  try {
    return (await page.ask(listAdvice, {})).find(({ item }) => item === name)
  } catch (error) {
    page.report(error)
    return undefined
  }
}
