import type { Locator, Page } from 'playwright'
import { expect, it } from 'vitest'
import {
  answer,
  boughtConsult,
  boughtVideo,
  DESK,
  inBar,
  ring,
  showsPicture,
  videoConsult,
} from '#test/video-call.ts'
import { remembered, tokenOf } from './people.ts'
import { accessible, PHONE, stage } from './stage.ts'

const at = stage({ expected: /api\/live/, calls: true })

const phoneOf = (token: string) => at.page({ ...PHONE, storageState: remembered(at.url, token) })
const deskOf = (token: string) => at.page({ ...DESK, storageState: remembered(at.url, token) })

/** A page of the owner and one of the vet of a video consult. */
async function bothSides() {
  const { id, owner, vet } = await videoConsult(at.url)
  return { id, phone: await phoneOf(owner), desk: await deskOf(vet) }
}

/** Opens the consult by the link in the mailed receipt. */
async function openByLink(phone: Page, email: string) {
  await phone.goto(await at.mailed(email, /http\S+userVideo\S+/))
  await phone.getByRole('button', { name: 'Open my consult' }).click()
}

/** The owner's conversation says how long the call took. */
const seesEnd = (phone: Page) =>
  phone
    .getByText(/^Video call with Dr .+ minute/)
    .last()
    .waitFor()

async function connect(owner: Page, vet: Page, url: string, id: number) {
  await ring(owner, vet, url, id)
  await answer(owner, vet)
}

/** Whether nothing covers the middle of a part, without any scrolling. */
const isInReach = (part: Locator) =>
  part.evaluate((key) => {
    const { left, top, width, height } = key.getBoundingClientRect()
    return key.contains(key.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
  })

/** The focus is at the page's present place, not back at its top. */
const focused = (part: Locator) => part.and(part.page().locator(':focus')).waitFor()

it('an owner and a vet see each other, write beside it, leave and come back [CON-5] [CON-9]', async () => {
  const { id, phone, desk } = await bothSides()
  await connect(phone, desk, at.url, id)
  await Promise.all([focused(inBar(phone, 'Mute')), focused(inBar(desk, 'Mute'))])
  await accessible(phone)
  await accessible(desk)
  expect(await phone.getByText('Nothing is recorded').isVisible()).toBe(true)
  await inBar(phone, 'Chat').click()
  await phone.getByRole('textbox', { name: 'Message to the vet' }).fill('She drank at six')
  await phone.getByRole('button', { name: 'Send', exact: true }).click()
  await inBar(desk, /Chat/).click()
  await desk.getByRole('region', { name: 'Chat' }).getByText('She drank at six').first().waitFor()

  // Beside the open keyboard there is room to write, and what the vet asks for is seen.
  await phone.setViewportSize({ width: 360, height: 300 })
  await expect.poll(() => isInReach(inBar(phone, 'Leave'))).toBe(true)
  const box = phone.getByRole('textbox', { name: 'Message to the vet' })
  expect((await box.boundingBox())!.width).toBeGreaterThan(150)
  await inBar(desk, 'Mute').click()
  await inBar(desk, 'Still').click()
  await desk.getByText('Photo asked for').waitFor()
  await expect.poll(() => isInReach(phone.getByRole('button', { name: 'Take the photo' }))).toBe(true)
  await phone.setViewportSize(PHONE.viewport)
  await phone.getByText('Their microphone is off').waitFor()
  await accessible(phone)
  await phone.getByRole('button', { name: 'Not now' }).click()
  await desk.getByText('Photo asked for').waitFor({ state: 'detached' })
  await inBar(desk, 'Mute').click()
  await phone.getByRole('button', { name: 'Close chat' }).click()
  await focused(inBar(phone, 'Chat'))

  // Your own picture stays in sight and clear of the buttons, even when space is tight.
  const own = phone.getByRole('group', { name: /^Your own picture/ })
  await own.focus()
  for (let at = 0; at < 40; at++) await phone.keyboard.press('ArrowDown')
  expect(await isInReach(inBar(phone, 'Leave'))).toBe(true)
  await phone.setViewportSize({ width: 844, height: 390 })
  await expect.poll(() => isInReach(own)).toBe(true)
  await phone.setViewportSize(PHONE.viewport)
  await phone.getByRole('button', { name: 'Hide your own picture' }).press('Enter')
  await focused(phone.getByRole('button', { name: 'Show your own picture' }))
  await phone.keyboard.press('Enter')
  await focused(phone.getByRole('button', { name: 'Hide your own picture' }))

  // A still photo in full sharpness, and a circle that both see.
  await inBar(desk, 'Circle').click()
  await phone.getByText('Your vet has drawn a circle on your picture.').waitFor({ state: 'attached' })
  await inBar(desk, 'Still').click()
  await phone.getByRole('button', { name: 'Take the photo' }).click()
  await focused(inBar(phone, 'Chat'))
  await desk.getByRole('img', { name: /photo/i }).waitFor()

  // The call as a whole, then its picture alone, while doing something else.
  await phone.getByRole('button', { name: 'Full screen' }).click()
  await expect.poll(() => phone.evaluate('document.fullscreenElement?.matches("main")')).toBe(true)
  await phone.getByRole('button', { name: 'Full screen' }).click()
  await expect.poll(() => phone.evaluate('document.fullscreenElement')).toBe(null)
  await phone.getByRole('button', { name: 'Picture in picture' }).click()
  await expect.poll(() => phone.evaluate('document.pictureInPictureElement?.ariaLabel')).toMatch(/on video$/)
  await phone.getByRole('button', { name: 'Picture in picture' }).click()
  await expect.poll(() => phone.evaluate('document.pictureInPictureElement')).toBe(null)

  // The camera's light goes off with its track, and the vet is told.
  await inBar(phone, 'Camera').click()
  await desk.getByText('Camera is off').waitFor()
  await inBar(phone, 'Camera').click()
  await showsPicture(desk)

  // Beside another case it continues, and is back after a reload.
  const stillIn = desk.getByText(/^You’re still in the call about [A-Z]/)
  await desk.getByRole('tab', { name: 'Record' }).click()
  await desk.locator('#record a[href^="/video-chat/"]').first().click()
  await stillIn.waitFor()
  await desk.reload()
  await stillIn.waitFor()
  await desk.getByRole('link', { name: 'Back to the call' }).click()
  await Promise.all([showsPicture(desk), showsPicture(phone)])
  await inBar(phone, 'Leave').click()
  await desk.getByText('left the call and can come back').waitFor()
  const back = phone.getByRole('button', { name: 'Come back to the call' })
  await focused(back)
  await back.click()
  await Promise.all([showsPicture(desk), showsPicture(phone)])
  await focused(inBar(phone, 'Mute'))

  // What was off before a reload is off after it.
  await inBar(phone, 'Mute').click()
  await inBar(phone, 'Camera').click()
  await desk.getByText('Camera is off').waitFor()
  await phone.reload()
  await inBar(phone, 'Mute').and(phone.locator('[aria-pressed=true]')).waitFor()
  await inBar(phone, 'Camera').and(phone.locator('[aria-pressed=false]')).waitFor()
  await desk.getByText('Their microphone is off').waitFor()
  await inBar(desk, 'Leave').click()
  await focused(desk.getByRole('textbox', { name: /^Message to/ }))
  await seesEnd(phone)
})

it('the mailed link leads through the check into the call that the vet is ringing [CON-9] [CON-5]', async () => {
  const email = 'thandi-rings@example.com'
  const { id, vet } = await boughtVideo(at.url, email)
  const desk = await deskOf(vet)
  await desk.goto(`${at.url}/video-chat/${id}`)
  await desk.getByRole('button', { name: 'Video', exact: true }).click()
  const phone = await at.page()
  // As on a device that has never allowed its camera.
  await phone.addInitScript('navigator.permissions.query = () => Promise.reject(new Error())')
  await openByLink(phone, email)
  await phone.waitForURL(`**/video-chat/${id}`)
  const check = phone.getByRole('dialog', { name: 'Create Video' })
  await check.getByText(/is calling you/).waitFor()
  await accessible(phone)
  await check.getByRole('button', { name: 'Turn on camera' }).click()
  // However long the check takes, the ring doesn't run out meanwhile.
  await desk.getByText(/is on the way to the call/).waitFor()
  await check.getByRole('button', { name: 'Join the call' }).click()
  await Promise.all([showsPicture(phone), showsPicture(desk)])
  expect(await check.count()).toBe(0)
  await inBar(desk, 'Leave').click()
  await seesEnd(phone)
})

it('the check of camera and sound opens from a text consult that still waits [BUY-3]', async () => {
  await boughtConsult(at.url, 'waits@example.com', 1)
  const phone = await at.page()
  await openByLink(phone, 'waits@example.com')
  await phone.getByRole('button', { name: 'Check camera and sound' }).click()
  await phone.waitForURL(/\/video-chat\//)
  await expect.poll(() => phone.getByRole('dialog', { name: 'Create Video' }).isVisible()).toBe(true)
})

it('in an emergency the owner reads where to go before any check of camera and sound [TRI-3] [BUY-3]', async () => {
  const words = 'He has collapsed and his gums are white.'
  await boughtConsult(at.url, 'collapsed@example.com', 2, words)
  const phone = await at.page()
  await openByLink(phone, 'collapsed@example.com')
  await phone.getByText('Go to a clinic now.').waitFor()
  const check = phone.getByRole('dialog', { name: 'Create Video' })
  expect(await check.count()).toBe(0)
  await phone.getByRole('button', { name: 'Check camera and sound' }).click()
  await check.waitFor()
})

it('an owner gets from the account into the call, or says from the check that text is better [CON-5]', async () => {
  const { id, owner, vet } = await videoConsult(at.url)
  const desk = await deskOf(vet)
  const device = await at.device({ ...PHONE, storageState: remembered(at.url, owner) })
  const phone = await at.page(device)
  await desk.goto(`${at.url}/video-chat/${id}`)
  await desk.getByRole('button', { name: 'Video', exact: true }).click()
  await phone.goto(`${at.url}/myaccount`)
  await phone.getByRole('link', { name: /^Open the (video|chat|consult)/ }).click()
  const check = phone.getByRole('dialog', { name: 'Create Video' })
  await check.getByText(/is calling you/).waitFor()
  await check.getByRole('button', { name: 'Answer' }).click()
  await Promise.all([showsPicture(phone), showsPicture(desk)])
  await focused(inBar(phone, 'Mute'))
  await inBar(desk, 'Leave').click()

  const tablet = await phoneOf(owner)
  // The vet rings at the moment when one device closes and another opens.
  await Promise.all([
    phone.close(),
    tablet.goto(`${at.url}/video-chat/${id}`),
    desk.getByRole('button', { name: 'Video', exact: true }).click(),
  ])
  await tablet
    .getByRole('dialog')
    .getByText(/is calling you/)
    .waitFor()
  await tablet.getByRole('button', { name: 'Use text instead' }).click()
  await desk.getByText('Video call declined. You can carry on in the chat.').last().waitFor()
  await tablet.getByRole('textbox', { name: 'Message to the vet' }).waitFor()
  expect(await tablet.getByText(/is calling you/).count()).toBe(0)
})

it('a second page takes the call over and the first says so; a second call of the vet is refused [CON-5]', async () => {
  const { id, owner, vet } = await videoConsult(at.url, 'vet2')
  const device = await at.device({ ...PHONE, storageState: remembered(at.url, owner) })
  const first = await at.page(device)
  const desk = await deskOf(vet)
  await connect(first, desk, at.url, id)
  const second = await phoneOf(owner)
  await second.goto(`${at.url}/video-chat/${id}#answer`)
  await second.getByRole('button', { name: 'Join the call' }).click()
  await first.getByText('The call moved to another device.').waitFor()
  await Promise.all([showsPicture(second), showsPicture(desk)])

  const other = await videoConsult(at.url, 'vet2', true)
  const elsewhere = await deskOf(vet)
  await elsewhere.goto(`${at.url}/video-chat/${other.id}`)
  await elsewhere.getByRole('button', { name: 'Video', exact: true }).click()
  await elsewhere.getByText(/You’re in a call about .+ Leave it before/).waitFor()
  expect(await inBar(elsewhere, 'Leave').count()).toBe(0)
})

it('without permission or camera the check explains what to do and offers sound or text [BUY-3] [CON-5]', async () => {
  const { id, owner } = await videoConsult(at.url)
  const refusing = (name: string, video: boolean) =>
    `navigator.mediaDevices.getUserMedia = ((ask) => (wanted) =>
      ${video ? 'wanted.video' : 'true'} ? Promise.reject(new DOMException('', '${name}')) : ask.call(navigator.mediaDevices, wanted)
    )(navigator.mediaDevices.getUserMedia)`
  const refused = await phoneOf(owner)
  await refused.addInitScript(refusing('NotAllowedError', false))
  await refused.goto(`${at.url}/video-chat/${id}`)
  await refused.getByText('Camera is not allowed yet').waitFor()
  await refused.getByRole('heading', { name: /^Allow it/ }).waitFor()
  expect(await refused.getByRole('button', { name: 'Continue with sound only' }).count()).toBe(0)
  await accessible(refused)
  await refused.getByRole('button', { name: 'Use text instead' }).click()
  await refused.getByRole('textbox', { name: 'Message to the vet' }).waitFor()

  const blind = await phoneOf(owner)
  await blind.addInitScript(refusing('NotFoundError', true))
  await blind.goto(`${at.url}/video-chat/${id}`)
  await blind.getByText('We couldn’t find a camera').waitFor()
  await blind.getByRole('button', { name: 'Continue with sound only' }).click()
  await blind.getByRole('heading', { name: 'Create Video' }).waitFor({ state: 'detached' })
})

it('an owner who is ready asks for a call, and the vet sees it [CON-5]', async () => {
  const { id, phone, desk } = await bothSides()
  await desk.goto(`${at.url}/video-chat/${id}`)
  await phone.goto(`${at.url}/video-chat/${id}`)
  await phone.getByRole('button', { name: 'Continue with video' }).click()
  await phone.getByText('You’re ready. Your vet can ring you here.').waitFor()
  await accessible(phone)
  await phone.getByRole('button', { name: 'Ask for a video call' }).press('Enter')
  await focused(phone.getByRole('textbox', { name: 'Message to the vet' }))
  await desk.getByRole('log').getByText('I’m ready for a video call.').waitFor()
  await desk.getByRole('button', { name: 'Video', exact: true }).click()
  await answer(phone, desk)
  await inBar(desk, 'Leave').click()
  await seesEnd(phone)
  expect(await phone.getByText('You’re ready').count()).toBe(0)
})

it('the vet rings with V and writes the note while talking, and R opens the chat [CON-5] [CON-6]', async () => {
  const { id, phone, desk } = await bothSides()
  await phone.goto(`${at.url}/video-chat/${id}`)
  await phone.getByRole('button', { name: 'Continue with video' }).click()
  await desk.goto(`${at.url}/video-chat/${id}`)
  await desk.getByRole('button', { name: 'Video', exact: true }).waitFor()
  await desk.keyboard.press('v')
  await phone.getByRole('alertdialog', { name: /is calling you/ }).waitFor()
  await answer(phone, desk)
  await desk.getByRole('region', { name: 'Case queue' }).getByText('In a video call').waitFor()
  await desk.keyboard.press('n')
  await desk.keyboard.type('Walks on three legs. Video: vivid, no v or r rings.')
  await desk.getByText(/^Saved \d\d:\d\d$/).waitFor()
  expect(await inBar(desk, 'Leave').isVisible()).toBe(true)
  await showsPicture(desk)
  await desk.keyboard.press('Escape')
  await desk.keyboard.press('r')
  await desk.keyboard.type('Please show me the paw.')
  await desk.keyboard.press('Enter')
  await phone.getByRole('button', { name: /^Open chat: new message/ }).click()
  await phone.getByRole('log').getByText('Please show me the paw.').waitFor()
  // Beside the chat the keys stay in reach on a small screen with large text.
  await desk.setViewportSize({ width: 1024, height: 768 })
  await desk.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await expect.poll(() => isInReach(inBar(desk, 'Leave'))).toBe(true)
  await inBar(desk, 'Leave').click()
  await seesEnd(phone)
})

it('a handover in the middle of a call keeps the owner in the room, and the next vet can ring [CON-5] [CON-8]', async () => {
  const { id, phone, desk } = await bothSides()
  await connect(phone, desk, at.url, id)
  await desk.keyboard.press('h')
  await desk.getByLabel('What should they know?').fill('She limps on the left.')
  await desk.getByRole('radio', { name: /^Return to its place/ }).check()
  await desk.getByRole('button', { name: 'Return to the queue' }).click()
  await phone.getByRole('heading', { name: /^You’re .+ in the queue|^You’re next/ }).waitFor()
  expect(phone.url()).toContain(`/video-chat/${id}`)
  const next = await deskOf(await tokenOf('vet2', at.url))
  await next.goto(`${at.url}/video-chat/${id}`)
  await next.getByRole('button', { name: /^Take/ }).click()
  await next.getByRole('button', { name: 'Video', exact: true }).click()
  await phone.getByRole('alertdialog', { name: /is calling you/ }).waitFor()
  await answer(phone, next)
  await inBar(next, 'Leave').click()
})

it('a ring is also a notification if that is allowed, and disappears with the answer [CON-5]', async () => {
  const { id, owner, vet } = await videoConsult(at.url)
  const device = await at.device({ ...PHONE, storageState: remembered(at.url, owner) })
  await device.grantPermissions(['notifications', 'camera', 'microphone'])
  await device.addInitScript('document.hasFocus = () => false')
  const phone = await at.page(device)
  const desk = await deskOf(vet)
  await phone.goto(`${at.url}/about`)
  await phone.evaluate('navigator.serviceWorker.ready.then(() => {})')
  await ring(phone, desk, at.url, id)
  const shown = () =>
    phone.evaluate<string[]>(`navigator.serviceWorker.getRegistration()
      .then((registration) => registration.getNotifications())
      .then((shown) => shown.map(({ title, body }) => title + ': ' + body))`)
  await expect
    .poll(shown, { timeout: 40_000 })
    .toEqual([expect.stringMatching(/^Dr .+ is calling you: Video call about /)])
  await expect.poll(() => phone.title()).toMatch(/is calling you/)
  await answer(phone, desk)
  await expect.poll(shown).toEqual([])
  await inBar(desk, 'Leave').click()
})

it('a device that saves data starts with sound, and the picture comes when the owner turns the camera on [CON-5]', async () => {
  const { id, owner, vet } = await videoConsult(at.url)
  const phone = await phoneOf(owner)
  await phone.addInitScript('Object.defineProperty(navigator.connection, "saveData", { value: true })')
  const desk = await deskOf(vet)
  await ring(phone, desk, at.url, id)
  await phone.getByRole('button', { name: 'Answer' }).click()
  await desk.getByText('Camera is off').waitFor()
  expect(await inBar(phone, 'Camera').getAttribute('aria-pressed')).toBe('false')
  await inBar(phone, 'Camera').click()
  await Promise.all([showsPicture(desk), showsPicture(phone)])
  await inBar(phone, 'Mute').click()
  await desk.getByText('Their microphone is off').waitFor()
  await inBar(desk, 'Leave').click()
})
