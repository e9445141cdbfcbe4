import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { OWNER, PEOPLE, samplePicture } from '#test/samples.ts'
import { chatServer } from '../test/chat-server.ts'
import { mount } from '../test/mount.tsx'
import { takeUploads, type Upload } from '../test/uploads.ts'
import { Conversation } from './conversation.tsx'
import { useConversation } from './conversation-store.ts'
import { useDraft } from './draft.ts'
import { emptyOwnOutbox, leavePhotos, ownOutbox } from './outbox.ts'

const CONSULT = 7

/** The conversation's server. It stores uploads straight away, except those that a test holds back. */
function aServer({ holdsBack = false } = {}) {
  const chat = chatServer(CONSULT)
  const server = Object.assign(chat, {
    uploads: [] as Upload[],
    holdsBack,
    storeFile({ id, file: { name } }: Upload) {
      return chat.store({ client_id: id, body: '' }, samplePicture({ filename: name }))
    },
    stored: () => chat.messages.map(({ body, attachment }) => attachment?.filename ?? body),
  })
  takeUploads((upload) => {
    if (!navigator.onLine) return void setTimeout(() => upload.breaks())
    server.uploads.push(upload)
    if (!server.holdsBack) void Promise.resolve().then(() => upload.ends(200, server.storeFile(upload)))
  })
  return server
}

function Shown({ before }: { before: ReactNode }) {
  const conversation = useConversation(CONSULT, { me: OWNER, side: 'owner' })
  return (
    <div className="grid" style={{ height: 600 }}>
      <Conversation
        conversation={conversation}
        people={PEOPLE}
        question={undefined}
        before={before}
        draft={useDraft(CONSULT)}
        label="Message to the vet"
        placeholder="Message"
      />
    </div>
  )
}

let leave = () => {}
async function show(before?: ReactNode) {
  leave = mount(<Shown before={before} />)
  await expect.element(page.getByRole('textbox')).toBeVisible()
}
async function reload() {
  leave()
  await show()
}

const online = (is: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is)
  window.dispatchEvent(new Event(is ? 'online' : 'offline'))
}
/** Waits until the conversation is loaded and drawn, so that the network can be lost. */
const opened = () =>
  expect.poll(() => page.getByRole('log').element().getAttribute('aria-busy')).toBe('false')
const refusal = (code: keyof typeof ERRORS) =>
  [ERRORS[code].status, { errors: [ERRORS[code].message], code }] as const

/** A photo full of noise, so that its file is large. */
async function photo(name: string, side = 400) {
  const canvas = new OffscreenCanvas(side, side)
  const context = canvas.getContext('2d')!
  for (let n = 0; n < 3000; n++) {
    context.fillStyle = `hsl(${(n * 137) % 360} 80% 50%)`
    context.fillRect((n * 7919) % side, (n * 104_729) % side, 9, 9)
  }
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 })
  return new File([blob], name, { type: 'image/jpeg' })
}
const film = (name = 'limp.mp4') => new File([new Uint8Array(2_000_000)], name, { type: 'video/mp4' })

const input = () => page.getByLabelText('Send pictures, a short video or a PDF')
async function choose(...files: File[]) {
  await userEvent.upload(input(), files)
}
async function say(words: string) {
  await page.getByRole('textbox').fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
}
/** After the first upload broke off, the connection comes back until there is a second. */
const triesAgain = (server: ReturnType<typeof aServer>) =>
  expect
    .poll(() => {
      window.dispatchEvent(new Event('online'))
      return server.uploads.length
    })
    .toBe(2)

/** Moves the clock that measures how long things take. */
function moveTimers() {
  let ahead = 0
  const clock = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + ahead)
  return (ms: number) => void (ahead += ms)
}

beforeEach(emptyOwnOutbox)

it('a chosen file that was being sent when the page was left is sent again under the same name [CON-2] [CON-4]', async () => {
  const server = aServer({ holdsBack: true })
  await show()
  await choose(await photo('gums.jpg'))
  await expect.poll(() => server.uploads.length).toBe(1)
  const [first] = server.uploads
  first!.moves(0.4)
  await expect
    .element(page.getByRole('progressbar', { name: 'Sending gums.jpg' }))
    .toHaveAttribute('aria-valuenow', '40')
  // It arrives, but the page that sent it is gone.
  server.storeFile(first!)
  server.holdsBack = false
  leave()
  expect(first!.aborted).toBe(true)
  await show()
  await expect.element(page.getByRole('log').getByRole('img', { name: /^Your photo/ })).toBeInTheDocument()
  await expect.poll(() => ownOutbox()).toEqual([])
  expect(new Set(server.uploads.map(({ id }) => id)).size).toBe(1)
  expect(server.stored()).toEqual(['gums.jpg'])
  expect(page.getByRole('log').getByRole('img').elements()).toHaveLength(1)
})

it('a chosen file that was chosen before the consult doesn’t push what’s above the messages out of view [TRI-3] [CON-4]', async () => {
  const server = aServer({ holdsBack: true })
  await leavePhotos(CONSULT, [{ id: crypto.randomUUID(), file: await photo('gums.jpg') }])
  await show(<p style={{ height: 1200 }}>Go to a clinic now</p>)
  await opened()
  await expect.poll(() => server.uploads.length).toBe(1)
  const [upload] = server.uploads
  upload!.ends(200, server.storeFile(upload!))
  await expect.element(page.getByRole('log').getByText('Sent')).toBeInTheDocument()
  await expect.element(page.getByText('Go to a clinic now')).toBeInViewport()
  expect(page.getByRole('group', { name: 'Conversation' }).element().scrollTop).toBe(0)
  await say('Her gums are pale')
  await expect.element(page.getByRole('log').getByText('Her gums are pale')).toBeInViewport()
})

it('a chosen file that was still being made small when the page was left is made small afterwards [CON-4]', async () => {
  const server = aServer()
  await show()
  await opened()
  const real = createImageBitmap.bind(window)
  const held: (() => void)[] = []
  vi.stubGlobal('createImageBitmap', async (source: Blob) => {
    await new Promise<void>((go) => held.push(go))
    return real(source)
  })
  await choose(await photo('tail.jpg'))
  await expect.element(page.getByText('Resizing tail.jpg')).toBeVisible()
  await expect.poll(() => held.length).toBe(1)
  leave()
  vi.stubGlobal('createImageBitmap', real)
  held[0]!()
  await show()
  await expect.poll(() => server.stored()).toEqual(['tail.jpg'])
  expect(server.uploads).toHaveLength(1)
  await expect.poll(() => ownOutbox()).toEqual([])
})

it('a chosen file lets text that was written later overtake it if it is a film, or a photo that gets stuck [CON-2]', async () => {
  const server = aServer({ holdsBack: true })
  await show()
  await opened()
  await choose(film())
  await expect.poll(() => server.uploads.length).toBe(1)
  await say('She falls over')
  await expect.poll(() => server.stored()).toEqual(['She falls over'])
  await page.getByRole('button', { name: 'Remove limp.mp4' }).click()

  const pass = moveTimers()
  await choose(await photo('paw.jpg'))
  await expect.poll(() => server.uploads.length).toBe(2)
  await say('She lies down')
  await expect.element(page.getByText('Sending')).toBeVisible()
  expect(server.stored()).toEqual(['She falls over'])
  await expect
    .poll(() => {
      pass(10_000)
      window.dispatchEvent(new Event('online'))
      return server.stored()
    })
    .toEqual(['She falls over', 'She lies down'])
})

it('a chosen file is gone for good when it is removed, even while it is being sent [CON-4]', async () => {
  const server = aServer({ holdsBack: true })
  await show()
  await choose(await photo('wrong.jpg'))
  await expect.poll(() => server.uploads.length).toBe(1)
  await page.getByRole('button', { name: 'Remove wrong.jpg' }).click()
  await expect.poll(() => server.uploads[0]!.aborted).toBe(true)
  await expect.element(page.getByText('wrong.jpg')).not.toBeInTheDocument()
  expect(await ownOutbox()).toEqual([])
  await reload()
  await opened()
  expect(server.uploads).toHaveLength(1)
})

it('a chosen file that is refused for good says why and offers no other try, also after a reload [CON-4]', async () => {
  const server = aServer({ holdsBack: true })
  await show()
  await choose(film('long.mp4'))
  await expect.poll(() => server.uploads.length).toBe(1)
  server.uploads[0]!.ends(...refusal('VIDEO_TOO_LONG'))
  await expect
    .element(page.getByRole('alert').filter({ hasText: ERRORS.VIDEO_TOO_LONG.message }))
    .toBeVisible()
  await choose(new File(['PK'], 'results.zip', { type: 'application/zip' }))
  await choose(new File(['no picture'], 'broken.jpg', { type: 'image/jpeg' }))
  await choose(new File([], 'in-the-cloud.pdf', { type: 'application/pdf' }))
  await expect
    .poll(() =>
      page
        .getByRole('alert')
        .elements()
        .map((alert) => alert.textContent),
    )
    .toEqual([
      ...(['VIDEO_TOO_LONG', 'FILE_WRONG_TYPE', 'PHOTO_WRONG_TYPE'] as const).map(
        (code) => ERRORS[code].message,
      ),
      'This file is empty. Open it on this device, then choose it again.',
    ])
  await reload()
  await expect.poll(() => page.getByRole('alert').elements().length).toBe(4)
  expect(page.getByRole('button', { name: 'Try again' }).elements()).toEqual([])
  expect(server.uploads).toHaveLength(1)
  // Only the name is kept of a file that can’t be sent.
  expect((await ownOutbox()).map(({ file }) => file?.content)).toEqual(Array(4).fill(undefined))
})

it('a chosen file that is over today’s limit says so straight away, and is sent at a press later [SAF-4]', async () => {
  const server = aServer({ holdsBack: true })
  await show()
  await choose(film('limp.mp4'))
  for (const [at, code] of (['FILES_FULL_TODAY', 'UPLOADS_FULL'] as const).entries()) {
    await expect.poll(() => server.uploads.length).toBe(at + 1)
    server.uploads[at]!.ends(...refusal(code))
    await expect.element(page.getByRole('alert').filter({ hasText: ERRORS[code].message })).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
  }
  await expect.poll(() => server.uploads.length).toBe(3)
  server.uploads.at(-1)!.ends(...refusal('CONSULT_FILES_FULL'))
  await expect
    .element(page.getByRole('alert').filter({ hasText: ERRORS.CONSULT_FILES_FULL.message }))
    .toBeVisible()
  expect(page.getByRole('button', { name: 'Try again' }).elements()).toEqual([])
})

it('a chosen file is given up after a minute of trying, and is sent at a press [CON-3] [CON-4]', async () => {
  const server = aServer({ holdsBack: true })
  await show()
  await opened()
  const pass = moveTimers()
  await choose(await photo('ear.jpg'))
  await expect.poll(() => server.uploads.length).toBe(1)
  server.uploads[0]!.breaks()
  await triesAgain(server)
  pass(61_000)
  server.uploads[1]!.ends(503)
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'The connection dropped halfway.' }))
    .toBeVisible()
  server.holdsBack = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => server.stored()).toEqual(['ear.jpg'])
  expect(new Set(server.uploads.map(({ id }) => id)).size).toBe(1)
})

it('a chosen file that broke off continues where it stopped [CON-4]', async () => {
  const server = aServer({ holdsBack: true })
  await show()
  await opened()
  await choose(film())
  await expect.poll(() => server.uploads.length).toBe(1)
  server.uploads[0]!.moves(0.9)
  server.keptBytes = 1_500_000
  server.uploads[0]!.breaks()
  await triesAgain(server)
  const [whole, rest] = server.uploads
  expect([rest!.id, rest!.form.get('from'), rest!.file.size]).toEqual([whole!.id, '1500000', 500_000])
  rest!.moves(0.2)
  await expect
    .element(page.getByRole('progressbar', { name: 'Sending limp.mp4' }))
    .toHaveAttribute('aria-valuenow', '80')
  rest!.ends(200, server.storeFile(rest!))
  await expect.poll(() => ownOutbox()).toEqual([])
  expect(server.stored()).toEqual(['limp.mp4'])
})

it('a chosen file that broke off after much data that nobody kept says what another try costs, and waits for a press [CON-4]', async () => {
  const server = aServer({ holdsBack: true })
  await show()
  await opened()
  const pass = moveTimers()
  await choose(film())
  await expect.poll(() => server.uploads.length).toBe(1)
  server.uploads[0]!.moves(0.4)
  server.uploads[0]!.breaks()
  // Little was lost, so it is sent again without asking.
  await triesAgain(server)
  server.uploads[1]!.moves(0.9)
  server.uploads[1]!.breaks()
  await expect.poll(async () => (await ownOutbox())[0]?.costly).toBe(true)
  pass(61_000)
  await expect
    .poll(() => {
      window.dispatchEvent(new Event('online'))
      return page.getByRole('alert').filter({ hasText: 'uses the data for the whole file again' }).query()
    })
    .toBeVisible()
  server.holdsBack = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => server.stored()).toEqual(['limp.mp4'])
  expect(new Set(server.uploads.map(({ id }) => id)).size).toBe(1)
  expect(server.uploads).toHaveLength(3)
})

it('a chosen file whose answer was lost leaves the outbox once it comes back as a message [CON-2]', async () => {
  const server = aServer({ holdsBack: true })
  await show()
  await opened()
  await choose(film())
  await expect.poll(() => server.uploads.length).toBe(1)
  server.uploads[0]!.moves(1)
  server.storeFile(server.uploads[0]!)
  server.uploads[0]!.breaks()
  await expect
    .poll(async () => {
      window.dispatchEvent(new Event('online'))
      return ownOutbox()
    })
    .toEqual([])
  expect(server.uploads).toHaveLength(1)
  expect(server.stored()).toEqual(['limp.mp4'])
})

it("a chosen file is sent even if the browser can't store it, and the page says to stay open [CON-4]", async () => {
  const server = aServer()
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('No room', 'QuotaExceededError')
  })
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('No room', 'QuotaExceededError')
  })
  await show()
  await opened()
  online(false)
  await say('Look at this')
  await choose(await photo('eye.jpg'))
  await expect.element(page.getByText('Keep this page open', { exact: false })).toBeVisible()
  await say('It is red')
  await expect.element(page.getByText('Waiting for connection')).toBeVisible()
  online(true)
  await expect.poll(() => server.stored()).toEqual(['Look at this', 'eye.jpg', 'It is red'])
  expect(await ownOutbox()).toEqual([])
})
