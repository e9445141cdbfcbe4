import { createHmac } from 'node:crypto'
import type { Browser, Page } from 'playwright'
import { openBrowserWithFastCamera } from '#test/browser.ts'
import { startProduct } from '#test/e2e/product.ts'
import { answer, inBar, pagesOf, ring, videoConsult } from '#test/video-call.ts'
import { startRelay } from '../drills/relay.ts'
import { inTurn } from './measure.ts'
import { atMost, type Row } from './row.ts'

const ROUNDS = 5

/** Two connections in one page that pass each other's signals, until both show a picture. */
const bareCall = (page: Page, config: object) =>
  page.evaluate<number>(`(async () => {
    const from = performance.now()
    const config = ${JSON.stringify(config)}
    const media = await navigator.mediaDevices.getUserMedia({ video: { width: 1280, height: 720 }, audio: true })
    const [one, other] = [new RTCPeerConnection(config), new RTCPeerConnection(config)]
    const pictures = [one, other].map((pc) => new Promise((shown) => {
      const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true })
      pc.addEventListener('track', ({ track, streams }) => {
        if (track.kind !== 'video') return
        video.srcObject = streams[0]
        video.requestVideoFrameCallback(shown)
      })
      document.body.append(video)
    }))
    for (const [pc, far] of [[one, other], [other, one]]) {
      pc.addEventListener('icecandidate', ({ candidate }) => candidate && far.addIceCandidate(candidate).catch(() => {}))
      for (const track of media.getTracks()) pc.addTrack(track, media)
    }
    await one.setLocalDescription()
    await other.setRemoteDescription(one.localDescription)
    await other.setLocalDescription()
    await one.setRemoteDescription(other.localDescription)
    await Promise.all(pictures)
    const took = performance.now() - from
    for (const pc of [one, other]) pc.close()
    for (const track of media.getTracks()) track.stop()
    for (const video of document.querySelectorAll('body > video')) video.remove()
    return took
  })()`)

/** When Answer was pressed, and when the other side's picture was first shown. Both pages read the same clock. */
const WATCH = `
  addEventListener('click', ({ target }) => {
    if (target.closest('button')?.textContent === 'Answer') window.pressed = Date.now()
  }, true)
  const watched = new WeakSet()
  new MutationObserver(() => {
    for (const video of document.querySelectorAll('video[aria-label$="on video"]')) {
      if (watched.has(video)) continue
      watched.add(video)
      video.requestVideoFrameCallback(() => (window.shown = Date.now()))
    }
  }).observe(document, { childList: true, subtree: true })`

async function ourCall(browser: Browser, url: string) {
  const consult = await videoConsult(url)
  const { owner, vet } = await pagesOf(browser, url, consult)
  for (const page of [owner, vet]) await page.addInitScript(WATCH)
  await ring(owner, vet, url, consult.id)
  await answer(owner, vet)
  const shown = await Promise.all([owner, vet].map((page) => page.evaluate<number>('shown')))
  const took = Math.max(...shown) - (await owner.evaluate<number>('pressed'))
  await inBar(vet, 'Leave').click()
  await Promise.all([owner.context().close(), vet.context().close()])
  return took
}

/** From the press on Answer to the first picture on both sides, directly and through coturn. */
export default async function video(): Promise<Row[]> {
  await using browser = await openBrowserWithFastCamera()
  await using relay = await startRelay()
  await using direct = await startProduct({ heard: false })
  await using relayed = await startProduct({ env: relay.env, heard: false })
  const username = `${Math.floor(Date.now() / 1000) + 3600}:bench`
  const { TURN_URL: urls, TURN_SECRET: secret } = relay.env
  const credential = createHmac('sha1', secret).update(username).digest('base64')
  const through = { iceTransportPolicy: 'relay', iceServers: [{ urls, username, credential }] }
  // The video room is a page that may use the camera.
  const bare = await browser.newPage()
  await bare.goto(`${direct.url}/video-purchase`)
  const took = await inTurn(ROUNDS, {
    direct: () => ourCall(browser, direct.url),
    bareDirect: () => bareCall(bare, {}),
    relayed: () => ourCall(browser, relayed.url),
    bareRelayed: () => bareCall(bare, through),
  })
  const row = (job: string, figure: number, floor: number) => atMost(1.3, { job, unit: 'ms', figure, floor })
  return [
    row('video: answer to pictures on both sides', took.direct, took.bareDirect),
    row('video: the same through coturn', took.relayed, took.bareRelayed),
  ]
}
