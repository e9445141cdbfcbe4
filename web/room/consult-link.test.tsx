import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { sampleRoom } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { Room } from './room.tsx'

const LINK = '/userVideo/cus_1/7?expires=1795250000&signature=abc'
const TOKEN = `.${btoa(JSON.stringify({ exp: 4_000_000_000, sid: 'guest' }))}.`

let sent: ReturnType<typeof answerCalls> = []
let answers = (_path: string, _key: string | null): unknown => ({})

beforeEach(() => {
  answers = () => ({})
  sent = answerCalls((path, _body, key) => answers(path, key))
  history.replaceState(null, '', LINK)
  mount(<Room />)
})

const open = () => userEvent.click(page.getByRole('button', { name: 'Open my consult' }))

it('a link into a consult leaves the address straight away and opens nothing automatically [CON-9]', async () => {
  await expect.poll(() => location.search).toBe('')
  await expect.element(page.getByRole('button', { name: 'Open my consult' })).toBeVisible()
  expect(sent).toEqual([])
})

it('a link that was already used says so, and that we sent a new one [CON-9]', async () => {
  const { message, status } = ERRORS.LINK_SPENT
  answers = () => Response.json({ errors: [message], code: 'LINK_SPENT' }, { status })
  await open()
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Open my consult' })).not.toBeInTheDocument()
  expect(sent[0]![1]).toEqual({
    customer_id: 'cus_1',
    consult_id: '7',
    expires: '1795250000',
    signature: 'abc',
  })
})

it('a link that broke on its way says that it doesn’t work, not that something went wrong on our side [CON-9]', async () => {
  const { message, status } = ERRORS.LINK_WRONG
  answers = () => Response.json({ errors: [message], code: 'LINK_WRONG' }, { status })
  history.replaceState(null, '', LINK.replace('cus_1', 'cus%E0%A4%A'))
  mount(<Room />)
  await userEvent.click(page.getByRole('button', { name: 'Open my consult' }).last())
  await expect.element(page.getByText(message)).toBeVisible()
  expect(sent[0]![1]).toMatchObject({ customer_id: 'cus%E0%A4%A' })
})

it('isn’t used up where the device has no room for what it opens [CON-9]', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError')
  })
  await open()
  await expect.element(page.getByText(/^This browser can’t store anything\./)).toBeVisible()
  expect(sent).toEqual([])
})

it('a link into a consult can be tried again after a network failure, as the same press [CON-9]', async () => {
  const keys: (string | null)[] = []
  answers = (_path, key) => {
    keys.push(key)
    throw new TypeError('Failed to fetch')
  }
  await open()
  await expect.element(page.getByText('The link still works. Please try again.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => keys.length).toBe(2)
  expect(keys[0]).toMatch(/^[\w-]{36}$/)
  expect(keys[1]).toBe(keys[0])
})

// Last, because a room tells the server what was seen a moment after it has closed.
it('becomes the room in the same document, whose messages are read together with it [CON-9] [CON-1]', async () => {
  let answerRoom = (_room: unknown) => {}
  answers = (path) => {
    if (path === '/user/login_cust_id') return { token: TOKEN }
    if (path === '/consultation/7') return new Promise((resolve) => (answerRoom = resolve))
    if (path === '/consultation/7/messages')
      return {
        messages: [
          {
            seq: 1,
            user_id: 9,
            body: 'Is he drinking?',
            client_id: 'a',
            at: '2026-11-21T02:10:00Z',
            attachment: null,
          },
        ],
        marks: [],
        more: false,
      }
    return {}
  }
  await open()
  await expect.poll(() => location.pathname).toBe('/video-chat/7')
  await expect
    .poll(() => sent.map(([path]) => path))
    .toEqual(['/user/login_cust_id', '/consultation/7', '/consultation/7/messages'])
  expect(document.activeElement?.tagName).toBe('MAIN')
  answerRoom({
    consultation: sampleRoom(7, 'Simba', {
      people: [{ id: 1, name: 'Thandi', side: 'owner', registration: null }],
    }),
  })
  await expect.element(page.getByText('Is he drinking?').first()).toBeVisible()
  expect(document.activeElement?.tagName).toBe('MAIN')
  expect(sent.filter(([path]) => path === '/consultation/7/messages')).toHaveLength(1)
})
