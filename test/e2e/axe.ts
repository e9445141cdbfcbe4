import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

/** Reports violations only. The full results would take twice as long, and nobody reads them. */
const OPTIONS = { iframes: false, resultTypes: ['violations' as const] }

/** Waits until animations have ended, except endless ones: elements that are still fading in fail the contrast rules. */
const STILL = `Promise.all(
  document.getAnimations()
    .filter(({ playState, timeline, effect }) =>
      playState === 'running' && timeline === document.timeline && effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished.catch(() => {})),
).then(() => {})`

/**
 * What axe holds against a page, by the rules with these tags or all. A frame counts as one element: ours run no
 * script, and axe would wait a second for each, in vain.
 */
export async function violationsOn(page: Page, tags?: string[]) {
  const withoutFrames = Object.create(page, { frames: { value: () => [] } }) as Page
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(STILL)
  const isThere = await page.evaluate<boolean>('Boolean(window.axe)')
  // axe is half a megabyte, so send it to a page only once.
  const builder = new AxeBuilder({ page: withoutFrames, ...(isThere && { axeSource: 'true' }) })
  builder.options({ ...OPTIONS, ...(tags && { runOnly: { type: 'tag', values: tags } }) })
  const { violations } = await builder.setLegacyMode().analyze()
  await page.emulateMedia({ reducedMotion: null })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  )
}
