import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'

/** Minified, so that it reaches a page sooner. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Only violations: the full results would take twice as long, and nobody reads them. Our frames run no script, and axe
 * would wait a second for each, in vain.
 */
const OPTIONS = { iframes: false, resultTypes: ['violations'] }

/** Waits until animations have ended, except endless ones: elements that are still fading in fail the contrast rules. */
const STILL = `Promise.all(
  document.getAnimations()
    .filter(({ playState, timeline, effect }) =>
      playState === 'running' && timeline === document.timeline && effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished.catch(() => {})),
).then(() => {})`

/** What axe finds wrong with a page, by the rules with these tags or by all. */
export async function violationsOn(page: Page, tags?: string[]) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(STILL)
  if (!(await page.evaluate<boolean>('Boolean(window.axe)'))) await inject(page)
  const options = { ...OPTIONS, ...(tags && { runOnly: { type: 'tag', values: tags } }) }
  const found = await page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`)
  await page.emulateMedia({ reducedMotion: null })
  return found
}

/** By the browser's own protocol, which takes a large script sooner than Playwright does. */
async function inject(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: AXE })
  await session.detach()
}
