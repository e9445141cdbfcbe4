import type { Page } from 'playwright'
import { openBrowser } from '#test/browser.ts'
import { startProduct } from '#test/e2e/product.ts'
import { answer, inBar, pagesOf, pictureClock, ring, showsPicture, videoConsult } from '#test/video-call.ts'
import { pause } from './load.ts'
import { startRelay } from './relay.ts'
import type { Drill } from './run.ts'

const WATCHED_MS = 20_000
const FREEZE_MS = 10_000
/** The first connection of each page uses credentials whose time has passed. */
const EXPIRED = `if (connections.length === 0)
  config = { ...config, iceServers: config.iceServers.map((one) => ({ ...one, username: '1000000000:7' })) }`

interface Received {
  relayed: boolean
  frozenMs: number
  soundLost: number
  step: string
}

/** What a page has received until now, and how much it sends. */
const receivedBy = (page: Page) =>
  page.evaluate<Received>(`(async () => {
    const found = { relayed: false, frozenMs: 0, soundLost: 0, step: document.querySelector('[data-step]')?.dataset.step ?? '' }
    const stats = await connections.at(-1).getStats()
    stats.forEach((stat) => {
      if (stat.type === 'inbound-rtp' && stat.kind === 'video') found.frozenMs = (stat.totalFreezesDuration ?? 0) * 1000
      if (stat.type === 'inbound-rtp' && stat.kind === 'audio')
        found.soundLost = stat.concealedSamples / Math.max(1, stat.totalSamplesReceived)
      if (stat.type === 'candidate-pair' && stat.nominated && stat.state === 'succeeded')
        found.relayed = stats.get(stat.localCandidateId).candidateType === 'relay'
    })
    return found
  })()`)

/** Waits until both see a moving picture again. Answers how long that took. */
async function recovered(pages: Page[]) {
  const from = performance.now()
  for (const page of pages) await showsPicture(page)
  return Math.round(performance.now() - from)
}

/**
 * Calls between two browsers: n direct ones, then through coturn, as docs/running.md sets it up, behind a network that
 * loses packets, is narrow, and stands still. Known to be bad: a relay that lets nothing through.
 */
export default {
  n: 3,
  async run(n) {
    const browser = await openBrowser()
    const figures: Record<string, unknown> = {}
    const failed: string[] = []
    const check = (what: string, holds: boolean) => void (holds || failed.push(what))

    const plain = await startProduct({ heard: false })
    const direct: number[] = []
    for (let at = 0; at < n; at++) {
      const consult = await videoConsult(plain.url)
      const { owner, vet } = await pagesOf(browser, plain.url, consult)
      await ring(owner, vet, plain.url, consult.id)
      direct.push(Math.round(await answer(owner, vet)))
      check('a direct call needs no relay', !(await receivedBy(owner)).relayed)
      await inBar(vet, 'Leave').click()
      await Promise.all([owner.context().close(), vet.context().close()])
    }
    figures['direct: ms to pictures'] = direct
    await plain.remove()

    const relay = await startRelay()
    const product = await startProduct({ env: relay.env, heard: false })
    const consult = await videoConsult(product.url)
    const { owner, vet } = await pagesOf(browser, product.url, consult)
    await ring(owner, vet, product.url, consult.id)
    figures['relayed: ms to pictures'] = Math.round(await answer(owner, vet))
    const both = [owner, vet]
    for (const page of both) check('every packet goes through the relay', (await receivedBy(page)).relayed)

    for (const [name, weather] of [
      ['3% loss', { loss: 0.03 }],
      ['20% loss', { loss: 0.2 }],
      ['150 kbit/s', { kbps: 150 }],
      ['1 Mbit/s', { kbps: 1000 }],
    ] as const) {
      const before = await receivedBy(owner)
      const clock = await pictureClock(owner)
      Object.assign(relay.weather, { loss: 0, kbps: Infinity }, weather)
      const steps = new Set<string>()
      for (const late = performance.now() + WATCHED_MS; performance.now() < late; await pause(500))
        steps.add((await receivedBy(vet)).step)
      const now = await receivedBy(owner)
      figures[name] = {
        frozenMs: Math.round(now.frozenMs - before.frozenMs),
        soundConcealed: Number(now.soundLost.toFixed(3)),
        steps: [...steps],
      }
      check(`the call stands through ${name}`, (await pictureClock(owner)) > clock)
    }
    Object.assign(relay.weather, { loss: 0, kbps: Infinity })

    relay.weather.frozen = true
    const told = owner.getByText('Connection lost. Trying again.').waitFor({ timeout: FREEZE_MS + 5000 })
    await pause(FREEZE_MS)
    await told.then(
      () => check('says that the connection is lost', true),
      () => check('says that the connection is lost', false),
    )
    relay.weather.frozen = false
    figures['relay frozen 10 s: ms to recover'] = await recovered(both)

    relay.weather.frozen = true
    const gaveUp = await owner
      .getByText('This network doesn’t let the call through')
      .waitFor({ timeout: 60_000 })
      .then(
        () => true,
        () => false,
      )
    check('known to be bad: a relay that lets nothing through is said, and text is offered', gaveUp)
    relay.weather.frozen = false
    figures['relay back: ms to recover'] = await recovered(both)
    await inBar(vet, 'Leave').click()
    await Promise.all(both.map((page) => page.context().close()))

    const late = await videoConsult(product.url)
    const pages = await pagesOf(browser, product.url, late, EXPIRED)
    await ring(pages.owner, pages.vet, product.url, late.id)
    figures['credentials expired: ms to pictures'] = Math.round(await answer(pages.owner, pages.vet))

    await browser.close()
    await product.remove()
    await relay.stop()
    return {
      figure: { ...figures, ...(failed.length > 0 && { failed }) },
      target:
        'calls stand through 20% loss and 150 kbit/s, and come back after 10 s of nothing and with new credentials',
      pass: failed.length === 0,
    }
  },
} satisfies Drill
