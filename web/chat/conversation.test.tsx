import { useState } from 'react'
import { flushSync } from 'react-dom'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { marksMoved, type Message, messageSaid, someoneTypes } from '#contract/chat.ts'
import { ERRORS } from '#contract/errors.ts'
import { OWNER, PEOPLE, samplePicture, VET } from '#test/samples.ts'
import { chatServer } from '../test/chat-server.ts'
import { mount } from '../test/mount.tsx'
import { socket } from '../test/still-socket.ts'
import { refuse } from '../test/turns.ts'
import { Conversation } from './conversation.tsx'
import { useConversation } from './conversation-store.ts'
import { useDraft } from './draft.ts'
import { emptyOwnOutbox } from './outbox.ts'

/** Each test has its own: a conversation that was left may still send how far it was read. */
let consultation = 7
let end = () => {}
let line = () => {}
function Shown({ question }: { question: string | undefined }) {
  const [ended, setEnded] = useState(false)
  const [asked, setAsked] = useState(false)
  end = () => setEnded(true)
  line = () => setAsked(true)
  const conversation = useConversation(consultation, { me: OWNER, side: 'owner' })
  const draft = useDraft(consultation)
  return (
    <div className="grid" style={{ height: 600 }}>
      <Conversation
        conversation={conversation}
        people={PEOPLE}
        question={question === undefined ? undefined : { body: question, at: '2026-11-21T02:07:00Z' }}
        before={ended ? <p className="h-[1200px]">The plan</p> : undefined}
        above={asked && <p style={{ height: 120 }}>A vet has your question</p>}
        draft={draft}
        label="Message to the vet"
        placeholder="Message"
      />
    </div>
  )
}

const show = (question?: string) => mount(<Shown question={question} />)

/** Shows numbered messages of the vet, of which the owner has seen so many. */
function showMany(count: number, seen = count) {
  const server = chatServer(consultation)
  for (let n = 1; n <= count; n++) server.add(VET, `Number ${n}.`)
  server.marks = [{ user_id: OWNER, delivered: count, seen }]
  show()
  return server
}

const box = () => page.getByRole('textbox')
const send = () => page.getByRole('button', { name: 'Send' })
const log = () => page.getByRole('log')
const scroller = () => page.getByRole('group', { name: 'Conversation' }).element()

beforeEach(async () => {
  consultation++
  await emptyOwnOutbox()
})

async function say(words: string) {
  await box().fill(words)
  await send().click()
}

/** Waits for a second try. The network's return brings it sooner than the pause after a failure would. */
const triedAgain = (server: ReturnType<typeof chatServer>) =>
  expect
    .poll(() => {
      window.dispatchEvent(new Event('online'))
      return server.tries.length
    })
    .toBe(2)

it('the conversation is in order, as plain text, with its author for people who see no sides [CON-2]', async () => {
  const server = chatServer(consultation)
  server.add(null, 'Dr Anika Naidoo joined')
  server.add(VET, '<b>Hello</b> <script>alert(1)</script> https://vetchat.example')
  server.add(OWNER, 'הכלבה שלי אכלה')
  show('She ate grapes')
  await expect.element(page.getByText('<b>Hello</b>', { exact: false }).first()).toBeVisible()
  expect(log().element().querySelector('script, b')).toBeNull()
  // A plain address is a link. Its site doesn't learn where the link was.
  const link = log().element().querySelector('a')!
  expect([link.href, link.target, link.rel.split(' ')]).toEqual([
    'https://vetchat.example/',
    '_blank',
    expect.arrayContaining(['noopener', 'noreferrer']),
  ])
  const said = [...log().element().querySelectorAll('li')].map((one) => one.textContent)
  expect(said.findIndex((one) => one.includes('You:She ate grapes'))).toBeLessThan(
    said.findIndex((one) => one.includes('Dr Anika Naidoo joinedRegistered vet, SAVC D00/0001')),
  )
  expect(said.some((one) => one.startsWith('Dr Anika Naidoo:<b>Hello'))).toBe(true)
  const hebrew = page.getByText('הכלבה שלי אכלה').element()
  expect(getComputedStyle(hebrew).direction).toBe('rtl')
  expect(log().element().querySelectorAll('time[datetime]').length).toBeGreaterThan(2)
})

it("the conversation loads older messages when scrolled to, and the view doesn't move [CON-2]", async () => {
  showMany(120)
  await expect.element(page.getByText('Number 120.')).toBeVisible()
  const first = page.getByText('Number 71.')
  scroller().scrollTop = 100
  const before = first.element().getBoundingClientRect().top
  await expect.element(page.getByText('Number 21.')).toBeInTheDocument()
  expect(Math.abs(first.element().getBoundingClientRect().top - before)).toBeLessThan(2)
})

it("the conversation isn't drawn again at every key, however long it is [CON-2]", async () => {
  showMany(50)
  await expect.element(page.getByText('Number 50.')).toBeVisible()
  const made = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
  await box().fill('Is she')
  await userEvent.keyboard(' well')
  await expect.element(box()).toHaveValue('Is she well')
  expect(made).not.toHaveBeenCalled()
})

it('the conversation follows new messages only at its end; elsewhere a pill counts them, and one press goes there [CON-3]', async () => {
  const server = showMany(40)
  await expect.element(page.getByText('Number 40.')).toBeVisible()
  const hear = (message: Message) => socket.hear(messageSaid.push, { consultation, message })
  hear(server.add(VET, 'At the end.'))
  await expect.element(log().getByText('At the end.')).toBeInViewport()
  scroller().scrollTop = 300
  await expect.poll(() => scroller().scrollTop).toBe(300)
  hear(server.add(VET, 'Further down.'))
  await expect.element(page.getByRole('button', { name: '1 new message' })).toBeVisible()
  expect(scroller().scrollTop).toBe(300)
  await page.getByRole('button', { name: '1 new message' }).click()
  await expect.element(log().getByText('Further down.')).toBeInViewport()
  await expect.element(page.getByRole('button', { name: '1 new message' })).not.toBeInTheDocument()
})

it("the conversation opens at the first message that wasn't seen [CON-3]", async () => {
  showMany(40, 20)
  await expect.element(page.getByText('Number 21.')).toBeInViewport()
  await expect.element(page.getByText('Number 40.')).not.toBeInViewport()
})

it("the conversation isn't marked as new again when the consult ends and the list opens at the plan [CON-3]", async () => {
  const server = showMany(40, 20)
  await expect.element(page.getByText('Number 21.')).toBeInViewport()
  scroller().scrollTop = scroller().scrollHeight
  await expect.poll(() => server.seen).toBe(40)
  end()
  await expect.element(page.getByText('The plan')).toBeInViewport()
  expect(page.getByRole('button', { name: /new message/ }).elements()).toEqual([])
})

it('the conversation shows a question after the end even when a line about it takes room below [CON-12]', async () => {
  showMany(40)
  await expect.element(page.getByText('Number 40.')).toBeInViewport()
  end()
  await expect.element(page.getByText('The plan')).toBeInViewport()
  await say('May she drink?')
  await expect.element(log().getByText('May she drink?')).toBeInViewport()
  const isAtEnd = () =>
    expect
      .poll(() => scroller().scrollHeight - scroller().clientHeight - scroller().scrollTop)
      .toBeLessThan(2)
  await expect.element(page.getByText('Sent')).toBeInViewport()
  // The question's news arrives with the line.
  const height = scroller().clientHeight
  flushSync(() => {
    line()
    socket.hear(marksMoved.push, { consultation, mark: { user_id: VET, delivered: 41, seen: 41 } })
  })
  await expect.poll(() => scroller().clientHeight).toBeLessThan(height - 100)
  await isAtEnd()
  scroller().closest<HTMLElement>('[style]')!.style.height = '480px'
  await expect.poll(() => scroller().clientHeight).toBeLessThan(480)
  await isAtEnd()
})

it('the conversation loads a picture again that the lost connection broke [CON-4]', async () => {
  const server = chatServer(consultation)
  server.add(VET, 'Show me her gums.')
  server.add(OWNER, '', { attachment: samplePicture({ url: '/not-there.svg' }) })
  show()
  const picture = () => log().getByRole('img').element() as HTMLImageElement
  await expect.element(log().getByRole('img')).toBeInTheDocument()
  picture().scrollIntoView()
  await expect.poll(() => picture().complete).toBe(true)
  const loads = vi.spyOn(picture(), 'src', 'set')
  await say('Can you see it?')
  await expect.element(page.getByText('Sent')).toBeVisible()
  expect(loads).not.toHaveBeenCalled()
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  window.dispatchEvent(new Event('offline'))
  await say('And now?')
  await expect.element(page.getByText('Waiting for connection')).toBeVisible()
  isOnline.mockReturnValue(true)
  window.dispatchEvent(new Event('online'))
  await expect.poll(() => loads.mock.calls).toEqual([['/not-there.svg']])
})

it('the conversation is read out with its author, except for one’s own messages and older ones [CON-3]', async () => {
  const server = chatServer(consultation)
  server.add(VET, 'Long ago.')
  show()
  await expect.element(page.getByText('Long ago.')).toBeVisible()
  socket.hear(messageSaid.push, { consultation, message: server.add(VET, 'Is she well?') })
  await say('Yes')
  await expect.element(page.getByText('Sent')).toBeVisible()
  expect(document.querySelector('[aria-live=polite]')?.textContent).toBe('Dr Anika Naidoo: Is she well?')
})

it('a message says sending, sent, delivered or seen, under the last one that got so far [CON-3]', async () => {
  const server = chatServer(consultation)
  show()
  await say('One')
  await expect.element(page.getByText('Sent')).toBeVisible()
  await say('Two')
  await expect.poll(() => server.messages.length).toBe(2)
  server.marks = [{ user_id: VET, delivered: 2, seen: 1 }]
  window.dispatchEvent(new Event('online'))
  await expect.element(page.getByText('Delivered')).toBeVisible()
  await expect.element(page.getByText('Seen')).toBeVisible()
  await expect.element(page.getByText('Sent')).not.toBeInTheDocument()
  expect(document.activeElement).toBe(box().element())
})

it('a message whose answer was lost is sent again as the same message [CON-2]', async () => {
  const server = chatServer(consultation)
  let lost = 0
  server.says = () => (lost++ ? undefined : new Response('', { status: 503 }))
  show()
  await say('Once')
  await triedAgain(server)
  await expect.element(page.getByText('Sent')).toBeVisible()
  expect(new Set(server.tries.map(({ client_id }) => client_id)).size).toBe(1)
  expect(server.tries.length).toBe(2)
  expect(page.getByText('Once').elements()).toHaveLength(1)
})

it('a message is given up after a minute of trying, and then the person decides what becomes of it [CON-3]', async () => {
  const server = chatServer(consultation)
  const clock = performance.now.bind(performance)
  const ahead = () => (server.tries.length > 1 ? 61_000 : 0)
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + ahead())
  server.says = () => new Response('', { status: 503 })
  show()
  await say('Give it up')
  await triedAgain(server)
  await expect.element(page.getByRole('alert').filter({ hasText: 'Not sent' })).toBeVisible()
  server.says = () => undefined
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Sent')).toBeVisible()
  expect(server.messages.map(({ body }) => body)).toEqual(['Give it up'])
})

it('a message that is refused for good says why, and can be deleted [CON-3]', async () => {
  const server = chatServer(consultation)
  server.says = refuse('CONSULT_NOT_YOURS_TO_ANSWER')
  show()
  await say('Not mine')
  await expect.element(page.getByText(ERRORS.CONSULT_NOT_YOURS_TO_ANSWER.message)).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText('Not mine')).not.toBeInTheDocument()
})

it('a message sent after the end returns to the box, with the reason [CON-3]', async () => {
  const server = chatServer(consultation)
  server.says = refuse('CONSULT_ENDED')
  show()
  await say('One more thing')
  await expect.element(page.getByText(ERRORS.CONSULT_ENDED.message)).toBeVisible()
  await expect.element(box()).toHaveValue('One more thing')
})

it('the message box sends by Enter where there is a keyboard, never in the middle of composing [CON-3]', async () => {
  const server = chatServer(consultation)
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  show()
  await box().fill('Hello')
  box()
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  expect(server.tries).toEqual([])
  await userEvent.keyboard('there{Enter}')
  await expect.poll(() => server.tries.map(({ body }) => body)).toEqual(['Hello\nthere'])
  await expect.element(box()).toHaveValue('')
})

it('the message box makes a new line of Enter on a phone [CON-3]', async () => {
  const server = chatServer(consultation)
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: false } as MediaQueryList)
  show()
  await box().fill('Hello')
  await userEvent.keyboard('{Enter}there')
  await expect.element(box()).toHaveValue('Hello\nthere')
  expect(server.tries).toEqual([])
})

it('the message box grows to five lines, sends nothing that is empty or too long, and keeps the focus [CON-3]', async () => {
  const server = chatServer(consultation)
  show()
  await expect.element(send()).toHaveAttribute('aria-disabled', 'true')
  const height = box().element().clientHeight
  await box().fill('1\n2\n3')
  expect(box().element().clientHeight).toBeGreaterThan(height)
  await box().fill('line\n'.repeat(30))
  expect(box().element().clientHeight).toBeLessThanOrEqual(144)
  await box().fill('a'.repeat(10_001))
  await expect.element(page.getByText('this one has 10,001', { exact: false })).toBeVisible()
  await expect.element(send()).toHaveAttribute('aria-disabled', 'true')
  await send().click({ force: true })
  expect(server.tries).toEqual([])
})

it('a message can be written and sent even if the browser has no room for its draft [SHL-10]', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const server = chatServer(consultation)
  show()
  await box().fill('He limps')
  await expect.element(box()).toHaveValue('He limps')
  await send().click()
  await expect.poll(() => server.messages.map(({ body }) => body)).toContain('He limps')
  await expect.element(box()).toHaveValue('')
})

it('the room shows that the other side is typing, until it stops [CON-3]', async () => {
  chatServer(consultation).add(VET, 'Hello')
  show()
  await expect.element(page.getByText('Hello')).toBeVisible()
  const dots = () => log().element().querySelectorAll('li[aria-hidden]').length
  socket.hear(someoneTypes.push, { consultation, side: 'owner', writing: true })
  expect(dots()).toBe(0)
  socket.hear(someoneTypes.push, { consultation, side: 'vet', writing: true })
  await expect.poll(dots).toBe(1)
  socket.hear(someoneTypes.push, { consultation, side: 'vet', writing: false })
  await expect.poll(dots).toBe(0)
})

it('a conversation that can’t be loaded says so, and a press tries again and keeps the focus [CON-3]', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const room = document.body.appendChild(document.createElement('main'))
  room.tabIndex = -1
  show()
  await expect.element(page.getByText('We couldn’t open this consult')).toBeVisible()
  chatServer(consultation).add(VET, 'Hello')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Hello')).toBeVisible()
  await expect.poll(() => document.activeElement).toBe(room)
  room.remove()
})
