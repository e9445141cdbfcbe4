import type { Browser, Page } from 'playwright'
import { callAt, consultAt, remembered, tokenOf } from './e2e/people.ts'

/* A video call between two browsers, for journeys, drills and measurements. */

const PATIENCE = 40_000
export const DESK = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 } }

/** Consults that earlier calls left open, since an owner may have three. */
async function endOpen(url: string, owner: string, vets: string[]) {
  const { consultations } = await callAt<{ consultations: { id: number; end: string | null }[] }>(
    url,
    '/consultation',
    undefined,
    owner,
  )
  for (const { id, end } of consultations) {
    if (end !== null) continue
    for (const vet of vets)
      await callAt(url, `/consultation/${id}/hand-back`, { note: 'Next test' }, vet).catch(() => {})
    await callAt(url, `/consultation/${id}/cancel`, {}, owner)
  }
}

/** A video consult of the demo's owner that a vet has taken, with both tokens. */
export async function videoConsult(url: string, vet = 'vet', beside = false) {
  const [owner, ...vets] = [
    await tokenOf('owner', url),
    await tokenOf('vet', url),
    await tokenOf('vet2', url),
  ] as const
  if (!beside) await endOpen(url, owner, vets)
  const taker = vets[vet === 'vet' ? 0 : 1]
  const { id } = await consultAt(url, owner, `She limps, ${Math.random()}`, 2)
  await callAt(url, `/consultation/${id}/take`, {}, taker)
  return { id, owner, vet: taker }
}

/** A consult that a guest bought, with their token. */
export async function boughtConsult(url: string, email: string, consult: 1 | 2, query = 'He limps.') {
  const user = { firstName: 'Thandi', lastName: 'Mokoena', email, mobile: '082 123 4567' }
  const sent = { card: { token: 'tok_visa' }, amount: 45_000, currency: 'ZAR', agreed: true, terms: '2' }
  const paid = await callAt<{ purchase: string; customer: { id: string } }>(url, '/pay', {
    ...sent,
    consult,
    user,
  })
  const { consultation, token } = await callAt<{ consultation: { id: number }; token: string }>(
    url,
    '/user/newUserConsultation',
    {
      purchase: paid.purchase,
      customer_id: paid.customer.id,
      ...user,
      name: 'Pixel',
      pet_species: 3,
      query,
      consult_type: consult,
      coupon_code: '',
    },
  )
  return { id: consultation.id, token }
}

/** A video consult that a guest bought and a vet has taken. */
export async function boughtVideo(url: string, email: string) {
  const vet = await tokenOf('vet', url)
  await callAt(url, '/duty', { on: true }, vet)
  const bought = await boughtConsult(url, email, 2)
  await callAt(url, `/consultation/${bought.id}/take`, {}, vet)
  return { ...bought, vet }
}

/** The other side's video on this page: its stream, and its time, which is 0 before the first picture. */
const pictureOn = (page: Page) =>
  page.evaluate<{ stream: string; clock: number }>(`(() => {
    const video = [...document.querySelectorAll('video')].find((one) => one.ariaLabel?.endsWith('on video'))
    return { stream: video?.srcObject?.id ?? '', clock: video?.videoWidth > 0 ? video.currentTime : 0 }
  })()`)

export const pictureClock = async (page: Page) => (await pictureOn(page)).clock

/** Waits until the picture moves. A stream that replaces it meanwhile begins at 0 again. */
export async function showsPicture(page: Page) {
  const late = performance.now() + PATIENCE
  const from = await pictureOn(page)
  for (;;) {
    const { stream, clock } = await pictureOn(page)
    if (clock > Math.max(0.05, stream === from.stream ? from.clock : 0)) return
    if (performance.now() > late) throw new Error(`No picture within ${PATIENCE / 1000} s on ${page.url()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

export const inBar = (page: Page, name: string | RegExp) =>
  page.getByRole('toolbar', { name: 'Call' }).getByRole('button', { name })

/** Opens both pages and rings, until the owner sees the ring. */
export async function ring(owner: Page, vet: Page, url: string, id: number) {
  await owner.goto(`${url}/video-chat/${id}`)
  await owner.getByRole('heading', { name: 'Create Video' }).waitFor()
  await owner.getByRole('button', { name: 'Continue with video' }).click()
  await vet.goto(`${url}/video-chat/${id}`)
  await vet.getByRole('button', { name: 'Video', exact: true }).click()
  await owner.getByRole('alertdialog', { name: /is calling you/ }).waitFor()
}

/** From the ring to pictures on both sides. Returns how long that took. */
export async function answer(owner: Page, vet: Page) {
  const from = performance.now()
  await owner.getByRole('button', { name: 'Answer' }).click()
  await Promise.all([showsPicture(owner), showsPicture(vet)])
  return performance.now() - from
}

/** Both sides' pages, whose peer connections can be read as `connections`. */
export async function pagesOf(
  browser: Browser,
  url: string,
  tokens: { owner: string; vet: string },
  init = '',
) {
  const open = async (size: typeof PHONE, token: string) => {
    const context = await browser.newContext({ ...size, storageState: remembered(url, token) })
    await context.addInitScript(`
      const connections = (window.connections = [])
      window.RTCPeerConnection = class extends RTCPeerConnection {
        constructor(config) {
          ${init}
          super(config)
          connections.push(this)
        }
      }`)
    return context.newPage()
  }
  return { owner: await open(PHONE, tokens.owner), vet: await open(DESK, tokens.vet) }
}
