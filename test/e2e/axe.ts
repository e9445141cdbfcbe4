import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

/** Minified, so that it reaches a page sooner. */
const require = createRequire(import.meta.url)
const AXE = createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js')
const axeSource = readFileSync(AXE, 'utf8')

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
 * What axe finds wrong with a page, by the rules with these tags or by all. A frame counts as one element: ours run
 * no script, and axe would wait a second for each, in vain.
 */
export async function violationsOn(page: Page, tags?: string[]) {
  const withoutFrames = Object.create(page, { frames: { value: () => [] } }) as Page
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(STILL)
  const isThere = await page.evaluate<boolean>('Boolean(window.axe)')
  // It's large, so a page gets it only once.
  const builder = new AxeBuilder({ page: withoutFrames, axeSource: isThere ? 'true' : axeSource })
  builder.options({ ...OPTIONS, ...(tags && { runOnly: { type: 'tag', values: tags } }) })
  const { violations } = await builder.setLegacyMode().analyze()
  await page.emulateMedia({ reducedMotion: null })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  )
}
