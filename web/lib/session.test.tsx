import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY } from '#contract/time.ts'
import { claimTab } from './claim-tab.ts'
import type * as session from './session.ts'

type Page = typeof session
const pages: Page[] = []
let opened = 0

/** A new page: the module's memory is empty, and the browser's storage has what the test left there. */
async function newPage() {
  const page = (await import(/* @vite-ignore */ `./session.ts?page=${++opened}`)) as Page
  pages.push(page)
  return page
}

function token(seconds: number, more: object = {}) {
  const payload = { kind: 'user', sid: 'é-_~', exp: Math.floor(Date.now() / 1000) + seconds, ...more }
  const text = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(payload))))
  return `head.${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.signature`
}

const marked = () => document.cookie.includes('vetchat_here=1')
const unmark = () => (document.cookie = 'vetchat_here=; path=/; max-age=0')

beforeEach(() => {
  // A page of an earlier test must not vouch for this test's session.
  for (const page of pages.splice(0)) page.signOut()
  unmark()
})

it('[SHL-10] signing out clears everything but promo and vetchat', async () => {
  const { signIn, signOut } = await newPage()
  signIn(token(600), false)
  for (const key of ['singleToken', 'user', 'pets', 'userPayment', 'promo', 'stranger'])
    localStorage.setItem(key, '1')
  for (const key of ['draft:/contact', 'purchase', 'clinicToken']) sessionStorage.setItem(key, '1')
  signOut()
  expect(Object.keys(localStorage).toSorted()).toEqual(['promo', 'vetchat'])
  expect(sessionStorage).toHaveLength(0)
  expect(marked()).toBe(false)
})

it("[SHL-10] signing in stores the token and deletes the previous person's data", async () => {
  const { signIn } = await newPage()
  localStorage.setItem('user', 'someone else')
  sessionStorage.setItem('purchase', 'in hand')
  const mine = token(600)
  signIn(mine, true)
  expect(localStorage.getItem('token')).toBe(mine)
  expect(localStorage.getItem('user')).toBeNull()
  expect(sessionStorage.getItem('purchase')).toBe('in hand')
})

it.each([
  ['expired', token(-1)],
  ['no token', 'nonsense'],
  ['without an end', token(0, { exp: 'never' })],
])('[SHL-11] a token that is %s is removed with the user', async (_name, stored) => {
  vi.stubGlobal('fetch', async () => new Response(null, { headers: { date: new Date().toUTCString() } }))
  const { settled, signedIn } = await newPage()
  localStorage.setItem('token', stored)
  localStorage.setItem('user', '{}')
  localStorage.setItem('pets', '[]')
  sessionStorage.setItem('note:7', '{}')
  sessionStorage.setItem('draft:/contact', '{}')
  await settled()
  expect(signedIn()).toBe(false)
  expect(Object.keys(localStorage)).toEqual([])
  expect(Object.keys(sessionStorage)).toEqual(['draft:/contact'])
})

it('[SHL-11] a token that opens one consultation does not sign in', async () => {
  const { signedIn, singleToken } = await newPage()
  localStorage.setItem('singleToken', token(60))
  expect(signedIn()).toBe(false)
  expect(singleToken()).toBe(localStorage.getItem('singleToken'))
  localStorage.setItem('singleToken', token(-60))
  expect(singleToken()).toBeUndefined()
})

it('[SHL-11] a guest keeps the token of each consult, and signing out removes them all', async () => {
  const { keepSingleToken, sessionIds, signOut, singleToken, singleTokens } = await newPage()
  const [first, second] = [token(60, { sid: 'first' }), token(60, { sid: 'second' })]
  keepSingleToken(first, 7)
  keepSingleToken(second, 8)
  expect([singleToken(7), singleToken(8), singleToken(9), singleToken()]).toEqual([
    first,
    second,
    second,
    second,
  ])
  expect(singleTokens()).toEqual([second, first])
  expect(sessionIds()).toEqual(['second', 'first'])
  signOut()
  expect(singleTokens()).toEqual([])
})

it("[LOG-13] the server's time corrects a wrong clock", async () => {
  const { correctClock, signedIn } = await newPage()
  localStorage.setItem('token', token(-3000))
  correctClock(new Date(Date.now() - 3600_000).toUTCString())
  expect(signedIn()).toBe(true)
  correctClock(new Date().toUTCString())
  expect(signedIn()).toBe(false)
})

describe('a device clock that is wrong', () => {
  const DAYS = 2 * DAY
  const real = Date.now.bind(Date)
  const steady = performance.now.bind(performance)
  /** Sets the device's clock, and how long the device slept. */
  function set(off: number, slept = 0) {
    vi.spyOn(Date, 'now').mockImplementation(() => real() + off)
    vi.spyOn(performance, 'now').mockImplementation(() => steady() - slept)
  }
  const serverSays = () => new Date(real()).toUTCString()
  const later = (seconds: number) => token(seconds + (real() - Date.now()) / 1000)
  beforeEach(() => {
    vi.stubGlobal('fetch', async () => new Response(null, { headers: { date: serverSays() } }))
  })

  it.each([
    ['put right while the page is open', DAYS, 0, 0],
    ['set two days ahead while the page is open', 0, DAYS, 0],
    ['set two days back while the page is open', 0, -DAYS, 0],
    ['right, on a device that slept', 0, 0, DAYS],
  ])(
    '[LOG-13] a device clock that is %s leaves it to the next answer',
    async (_what, before, after, slept) => {
      set(before)
      const mine = later(600)
      localStorage.setItem('token', mine)
      localStorage.setItem('vetchat', '{"remember":true}')
      const page = await newPage()
      await page.settled()
      page.correctClock(serverSays())
      set(after, slept)
      expect(page.mainToken()).toBe(mine)
      page.correctClock(serverSays())
      expect(page.mainToken()).toBe(mine)
    },
  )

  it('[SHL-11] a wrong device clock keeps no token that the server calls expired', async () => {
    set(-DAYS)
    localStorage.setItem('token', later(-600))
    localStorage.setItem('vetchat', '{"remember":true}')
    const { correctClock, settled, signedIn } = await newPage()
    await settled()
    correctClock(serverSays())
    expect(signedIn()).toBe(false)
    expect(localStorage.getItem('token')).toBe(null)
  })

  it('[LOG-13] a wrong device clock removes nothing without a network', async () => {
    set(DAYS)
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')))
    const mine = later(600)
    localStorage.setItem('token', mine)
    const { settled, signedIn } = await newPage()
    await settled()
    expect(signedIn()).toBe(false)
    expect(localStorage.getItem('token')).toBe(mine)
  })
})

it('[LOG-2] a token without a mark counts as signed out when no other tab answers', async () => {
  localStorage.setItem('token', token(600))
  localStorage.setItem('vetchat', JSON.stringify({ remember: false }))
  const { settled, signedIn } = await newPage()
  await settled()
  expect(signedIn()).toBe(false)
  expect(localStorage.getItem('token')).toBeNull()
})

it('[LOG-2] a page hears that nobody is signed in, even if it is clear as soon as the page listens', async () => {
  const { onSessionChange } = await newPage()
  const hear = vi.fn()
  onSessionChange(hear)
  await expect.poll(() => hear.mock.calls.length).toBeGreaterThan(0)
})

it('[SHL-2] the document says who is signed in, and follows other tabs', async () => {
  const { onSessionChange, settled, signIn, signOut } = await newPage()
  const changed = vi.fn()
  onSessionChange(changed)
  await settled()
  signIn(token(600), true)
  expect(document.documentElement.hasAttribute('data-in')).toBe(true)
  signOut()
  expect(document.documentElement.hasAttribute('data-in')).toBe(false)
  changed.mockClear()
  localStorage.setItem('token', token(600))
  dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  expect(document.documentElement.hasAttribute('data-in')).toBe(true)
  expect(changed).toHaveBeenCalled()
})

it('[SHL-2] a first listener hears of a session that is known straight away', async () => {
  const { onSessionChange } = await newPage()
  const heard = vi.fn()
  onSessionChange(heard)
  expect(heard).toHaveBeenCalledOnce()
})

it('[SHL-10] drafts are deleted when another tab signs out, and kept when the session only expired', async () => {
  const { settled } = await newPage()
  await settled()
  const gone = (oldValue: string, newValue: string | null) =>
    dispatchEvent(new StorageEvent('storage', { key: 'token', oldValue, newValue }))
  sessionStorage.setItem('draft:consult', 'He limps.')
  sessionStorage.setItem('note:7', '{}')
  gone(token(600), token(6000))
  expect(sessionStorage).toHaveLength(2)
  gone(token(-5), null)
  expect(Object.keys(sessionStorage)).toEqual(['draft:consult'])
  gone(token(600), null)
  expect(sessionStorage).toHaveLength(0)
})

it('[SHL-10] drafts are deleted when the server refuses a session, and kept when it answers that the session expired', async () => {
  const { endSession, settled, signIn } = await newPage()
  await settled()
  for (const [seconds, kept] of [
    [-5, ['draft:consult']],
    [600, []],
  ] as const) {
    signIn(token(seconds), true)
    sessionStorage.setItem('draft:consult', 'He limps.')
    sessionStorage.setItem('note:7', '{}')
    endSession()
    expect(Object.keys(sessionStorage)).toEqual(kept)
  }
})

it('[SHL-10] drafts of an expired session wait for the same person, and nobody else finds them', async () => {
  const { endSession, settled, signIn } = await newPage()
  await settled()
  sessionStorage.setItem('draft:purchase', 'typed before signing in')
  claimTab(7)
  signIn(token(-5), true)
  sessionStorage.setItem('draft:claim', 'R8 450')
  endSession()
  claimTab(7)
  signIn(token(-5), true)
  expect(Object.keys(sessionStorage).toSorted()).toEqual(['draft:claim', 'draft:purchase', 'whose'])
  endSession()
  claimTab(8)
  signIn(token(600), true)
  expect({ ...sessionStorage }).toEqual({ whose: '8' })
})

it('[SHL-10] a note left by a session that ended while no page was open is deleted by the next page', async () => {
  sessionStorage.setItem('note:7', '{}')
  sessionStorage.setItem('draft:consult', 'He limps.')
  const { settled } = await newPage()
  await settled()
  expect(Object.keys(sessionStorage)).toEqual(['draft:consult'])
})

it('a renewed token replaces only the one it was made from', async () => {
  const { renewToken, signIn } = await newPage()
  const [first, second] = [token(600), token(6000)]
  signIn(first, true)
  renewToken('of another session', second)
  expect(localStorage.getItem('token')).toBe(first)
  renewToken(first, second)
  expect(localStorage.getItem('token')).toBe(second)
})

it('[SHL-12] only known promos are stored', async () => {
  const { keepPromo } = await newPage()
  keepPromo('?promo=intro-99')
  expect(localStorage.getItem('promo')).toBeNull()
  keepPromo('?x=1&promo=intro-30')
  expect(localStorage.getItem('promo')).toBe('intro-30')
})

it('choices survive invalid stored values', async () => {
  const { choices, choose } = await newPage()
  localStorage.setItem('vetchat', 'not json')
  expect(choices()).toEqual({})
  choose({ sound: false })
  choose({ remember: true })
  expect(choices()).toEqual({ sound: false, remember: true })
})
