import type { Page } from 'playwright'
import { MINUTE } from '#contract/time.ts'
import { openBrowserWithFastCamera } from '#test/browser.ts'
import { startProduct } from '#test/e2e/product.ts'
import { answer, inBar, pagesOf, pictureClock, ring, showsPicture, videoConsult } from '#test/video-call.ts'
import { startPostgres } from '#test/postgres.ts'
import { startCluster } from './cluster.ts'
import { pause } from './load.ts'
import { startRelay } from './relay.ts'
import type { Drill } from './run.ts'

const WATCHED_MS = 20_000
const FREEZE_MS = 10_000
/** The first connection of each page uses expired credentials. */
const EXPIRED = `if (connections.length === 0)
  config = { ...config, iceServers: config.iceServers.map((one) => ({ ...one, username: '1000000000:7' })) }`

/** The share of sound that may be made up from what came before, for words to be understood. */
const UNDERSTOOD = 0.15
const AWAY_MS = 3000

interface Received {
  /** How many connections the page has had. The rest is about the last one. */
  connections: number
  relayed: boolean
  frozenMs: number
  bytes: number
  /** Samples of sound: all, and those that were made up because the real ones never arrived. */
  heard: number
  concealed: number
  step: string
}

/** What a page has received until now, and how much it sends. */
const receivedBy = (page: Page) =>
  page.evaluate<Received>(`(async () => {
    const found = { connections: connections.length, relayed: false, frozenMs: 0, bytes: 0, heard: 0, concealed: 0, step: document.querySelector('[data-step]')?.dataset.step ?? '' }
    const stats = await connections.at(-1).getStats()
    stats.forEach((stat) => {
      if (stat.type === 'inbound-rtp' && stat.kind === 'video') found.frozenMs = (stat.totalFreezesDuration ?? 0) * 1000
      if (stat.type === 'inbound-rtp' && stat.kind === 'audio') {
        found.heard = stat.totalSamplesReceived ?? 0
        found.concealed = stat.concealedSamples ?? 0
      }
      if (stat.type === 'candidate-pair' && stat.nominated && stat.state === 'succeeded') {
        found.relayed = stats.get(stat.localCandidateId).candidateType === 'relay'
      }
      if (stat.type === 'transport') found.bytes = stat.bytesReceived
    })
    return found
  })()`)

type Counted = 'frozenMs' | 'bytes' | 'heard' | 'concealed'

/** How much was added since then. Another connection counts from 0. */
const since = (before: Received, now: Received, what: Counted) =>
  now.connections === before.connections ? now[what] - before[what] : now[what]

/** How long the picture was frozen since then. */
const frozenSince = (before: Received, now: Received) => Math.round(since(before, now, 'frozenMs'))

/** Waits until both see a moving picture again. Returns how long that took. */
async function recovered(pages: Page[]) {
  const from = performance.now()
  for (const page of pages) await showsPicture(page)
  return Math.round(performance.now() - from)
}

/** In these network conditions: how much the vet's page sends and when that changed, and how the owner's page receives it. */
async function through(owner: Page, vet: Page) {
  const from = performance.now()
  const steps: string[] = []
  const came = { frozenMs: 0, bytes: 0, heard: 0, concealed: 0 }
  let before = await receivedBy(owner)
  const { connections } = before
  let settledAt: number | undefined
  for (let passed = 0; passed < WATCHED_MS; passed = performance.now() - from) {
    const { step } = await receivedBy(vet)
    if (!steps.at(-1)?.startsWith(step)) steps.push(`${step} at ${Math.round(passed / 1000)} s`)
    await pause(500)
    const now = await receivedBy(owner)
    came.frozenMs += since(before, now, 'frozenMs')
    // The rest is measured once the steps had time to settle.
    if (settledAt !== undefined)
      for (const what of ['bytes', 'heard', 'concealed'] as const) came[what] += since(before, now, what)
    else if (passed > WATCHED_MS / 2) settledAt = performance.now()
    before = now
  }
  return {
    steps,
    beganAnew: before.connections - connections,
    frozenMs: Math.round(came.frozenMs),
    kbps: Math.round((came.bytes * 8) / (performance.now() - settledAt!)),
    soundConcealed: Number((came.concealed / came.heard).toFixed(3)),
  }
}

/** The owner leaves and comes back, which needs the server. Returns how long it took, from this moment on. */
async function leaveAndComeBack(owner: Page, vet: Page) {
  const from = performance.now()
  await inBar(owner, 'Leave').click()
  await vet.getByText('left the call and can come back').waitFor({ timeout: MINUTE })
  await owner.getByRole('button', { name: 'Come back to the call' }).click()
  for (const page of [owner, vet]) await showsPicture(page)
  return Math.round(performance.now() - from)
}

/**
 * Calls between two browsers: n direct ones, then through coturn, as docs/running.md sets it up, behind a network that
 * loses packets, is narrow, and stands still; then reloads, another tab, a server that is killed, one that is
 * restarted, and two that are restarted in turn. Known to be bad: a relay that lets nothing through.
 */
export default {
  n: 3,
  async run(n) {
    await using browser = await openBrowserWithFastCamera()
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

    await using relay = await startRelay()
    let product = await startProduct({ env: relay.env, heard: false })
    const consult = await videoConsult(product.url)
    const { owner, vet } = await pagesOf(browser, product.url, consult)
    await ring(owner, vet, product.url, consult.id)
    figures['relayed: ms to pictures'] = Math.round(await answer(owner, vet))
    const both = [owner, vet]
    for (const page of both) check('every packet goes through the relay', (await receivedBy(page)).relayed)

    for (const [name, weather] of [
      ['1 Mbit/s', { kbps: 1000 }],
      ['3% loss', { loss: 0.03 }],
      ['20% loss', { loss: 0.2 }],
      ['150 kbit/s', { kbps: 150 }],
    ] as const) {
      // With a picture to begin with: the weather before may have left sound alone.
      const picturesAfter = await recovered(both)
      const clock = await pictureClock(owner)
      Object.assign(relay.weather, weather)
      const found = await through(owner, vet)
      figures[name] = { 'ms to pictures before it': picturesAfter, ...found }
      check(`the call stands through ${name}`, (await pictureClock(owner)) > clock)
      check(`words are understood through ${name}`, found.soundConcealed < UNDERSTOOD)
      Object.assign(relay.weather, { loss: 0, kbps: Infinity })
    }
    figures['network good again: ms to pictures'] = await recovered(both)

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
    // A page that has had a connection says only that it is lost.
    await owner.reload()
    const gaveUp = await owner
      .getByText('This network doesn’t let the call through')
      .waitFor({ timeout: MINUTE })
      .then(
        () => true,
        () => false,
      )
    check('known to be bad: a relay that lets nothing through is said, and text is offered', gaveUp)
    relay.weather.frozen = false
    figures['relay back: ms to recover'] = await recovered(both)

    await vet.reload()
    figures['vet reloads: ms to pictures'] = await recovered(both)

    const tab = await owner.context().newPage()
    await tab.goto(`${product.url}/video-chat/${consult.id}#answer`)
    await tab.getByRole('button', { name: 'Join the call' }).click()
    figures['second tab: ms to pictures'] = await recovered([tab, vet])
    await owner.getByText('The call moved to another device.').waitFor()

    for (const [name, end] of [
      ['server killed', () => product.kill()],
      ['server restarted', () => product.stop()],
    ] as const) {
      const before = await receivedBy(tab)
      await end()
      await pause(AWAY_MS)
      product = await startProduct({
        env: relay.env,
        heard: false,
        port: product.port,
        dataDir: product.dataDir,
      })
      figures[name] = {
        frozenMs: frozenSince(before, await receivedBy(tab)),
        'ms to leave and come back': await leaveAndComeBack(tab, vet),
      }
    }
    await inBar(vet, 'Leave').click()
    await Promise.all(both.map((page) => page.context().close()))

    await using postgres = await startPostgres()
    await using cluster = await startCluster(postgres.url, { env: relay.env })
    const rolled = await videoConsult(cluster.url)
    const two = await pagesOf(browser, cluster.url, rolled)
    await ring(two.owner, two.vet, cluster.url, rolled.id)
    await answer(two.owner, two.vet)
    for (const at of [0, 1]) {
      const before = await receivedBy(two.owner)
      const clock = await pictureClock(two.owner)
      await cluster.restart(at, 'stop')
      const now = await receivedBy(two.owner)
      check(
        'sound and picture go on while an instance restarts',
        now.connections === before.connections && (await pictureClock(two.owner)) > clock,
      )
      figures[`rolling restart, instance ${at + 1} of 2`] = {
        frozenMs: frozenSince(before, now),
        // Through the other instance, where both sockets are by now.
        'ms to leave and come back': await leaveAndComeBack(two.owner, two.vet),
      }
    }
    await Promise.all([two.owner, two.vet].map((page) => page.context().close()))

    const late = await videoConsult(product.url)
    const pages = await pagesOf(browser, product.url, late, EXPIRED)
    await ring(pages.owner, pages.vet, product.url, late.id)
    figures['credentials expired: ms to pictures'] = Math.round(await answer(pages.owner, pages.vet))

    await product.remove()
    return {
      figure: { ...figures, ...(failed.length > 0 && { failed }) },
      target:
        'calls stand through 20% loss, 150 kbit/s and a server that is gone, and come back after 10 s of nothing and with new credentials',
      pass: failed.length === 0,
    }
  },
} satisfies Drill
