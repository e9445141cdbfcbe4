import type { Browser, Page } from 'playwright'
import { remembered, tokenOf } from './e2e/people.ts'

/* A video call between two browsers, for journeys, drills and measurements. */

const PATIENCE = 40_000
export const DESK = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 } }

async function call<T>(url: string, token: string | undefined, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Consults that earlier calls left open, since an owner may have three. */
async function endOpen(url: string, owner: string, vets: string[]) {
  const { consultations } = await call<{ consultations: { id: number; end: string | null }[] }>(
    url,
    owner,
    '/consultation',
  )
  for (const { id, end } of consultations) {
    if (end !== null) continue
    for (const vet of vets)
      await call(url, vet, `/consultation/${id}/hand-back`, { note: 'Next test' }).catch(() => {})
    await call(url, owner, `/consultation/${id}/cancel`, {})
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
  const [pet] = await call<{ id: number }[]>(url, owner, '/pet')
  const asked = { pet_id: pet!.id, type: 2, agreed: true, terms: '1' }
  const { consultation } = await call<{ consultation: { id: number } }>(url, owner, '/consultation', {
    ...asked,
    pet_issue: `She limps, ${Math.random()}`,
  })
  await call(url, taker, `/consultation/${consultation.id}/take`, {})
  return { id: consultation.id, owner, vet: taker }
}

/** A consult that a guest bought, and the link to it in the mailed receipt, once that has arrived. */
export async function boughtConsult(url: string, email: string, consult: 1 | 2, query = 'He limps.') {
  const user = { firstName: 'Thandi', lastName: 'Mokoena', email, mobile: '082 123 4567' }
  const sent = { card: { token: 'tok_visa' }, amount: 45_000, currency: 'ZAR', agreed: true, terms: '2' }
  const paid = await call<{ purchase: string; customer: { id: string } }>(url, undefined, '/pay', {
    ...sent,
    consult,
    user,
  })
  const { consultation, token } = await call<{ consultation: { id: number }; token: string }>(
    url,
    undefined,
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
  return {
    id: consultation.id,
    token,
    async link() {
      const letters = await call<{ text: string }[]>(url, undefined, `/sandbox/mail?to=${email}`)
      return letters.map(({ text }) => /http\S+userVideo\S+/.exec(text)?.[0]).find(Boolean)
    },
  }
}

/** A video consult that a guest bought and a vet has taken. */
export async function boughtVideo(url: string, email: string) {
  const vet = await tokenOf('vet', url)
  await call(url, vet, '/duty', { on: true })
  const bought = await boughtConsult(url, email, 2)
  await call(url, vet, `/consultation/${bought.id}/take`, {})
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
export async function showsPicture(page: Page, patience = PATIENCE) {
  const late = performance.now() + patience
  const from = await pictureOn(page)
  for (;;) {
    const { stream, clock } = await pictureOn(page)
    if (clock > Math.max(0.05, stream === from.stream ? from.clock : 0)) return
    if (performance.now() > late) throw new Error(`No picture within ${patience / 1000} s on ${page.url()}`)
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
