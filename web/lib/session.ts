import { useSyncExternalStore } from 'react'
import { isPromo } from '#contract/discounts.ts'
import { keepInTab } from '../ui/tab-storage.ts'
import { answerTabs, askTabs } from './other-tabs.ts'

/**
 * What the browser remembers of a session. localStorage: token, singleToken (the latest, and each once more under its
 * consult's number, as in `singleToken:7`), user, pets, userPayment, promo and `vetchat` (small, anonymous choices).
 * sessionStorage: form drafts and their photos, whose they are, the purchase that was sent, clinicToken.
 * IndexedDB: the outbox, and conversations that can be read offline.
 */
const KEPT_ON_SIGN_OUT = ['promo', 'vetchat']
/** A guest's consult belongs to no session, so it stays open here when a session is refused. */
const KEPT_ON_REFUSAL = [...KEPT_ON_SIGN_OUT, 'singleToken']
/** What the last pages showed, for the next page's frame. `last-shown.ts` says which parts are stored. */
const SHOWN = ['user', 'pets', 'userPayment'] as const
export type ShownKey = (typeof SHOWN)[number]
/** Drafts of clinical notes, in sessionStorage. */
const NOTE = 'note:'
/** USER_TYPES.vet and .admin, without loading the contract on public pages. */
const STAFF = /^\{"type":[23],/
const ADMIN = /^\{"type":3,/
/** Without Remember me: a session cookie that marks the running browser. */
const MARK = 'vetchat_here'
/** From this difference on, a clock counts as wrong. */
const WRONG_MS = 60_000
/** How tabs say to each other that the browser kept running, and how long they have to answer. */
const TABS = 'vetchat'
const HERE = 'here'
const ANSWER_MS = 300

export interface Choices {
  remember?: boolean
  /** How far the browser's clock is behind the server's, in milliseconds, if that's more than a minute. */
  clock?: number
  /** Whether a consult is open, as far as this browser knows. */
  open?: boolean | undefined
  /** The area where the visitor looks for an emergency clinic. */
  area?: string
  /** Whether the signed-in person has a membership. */
  member?: boolean | undefined
  [name: string]: unknown
}

// --- choices that outlive a session

export function choices(): Choices {
  try {
    return (JSON.parse(localStorage.getItem('vetchat') ?? '{}') as Choices | null) ?? {}
  } catch {
    return {}
  }
}

/** A browser that blocks storage does without. */
export function keep(key: string, text: string) {
  try {
    localStorage.setItem(key, text)
  } catch {
    // Only choices are lost, which people can make again.
  }
}

export const choose = (change: Choices) => keep('vetchat', JSON.stringify({ ...choices(), ...change }))

/** Keeps the promo in the address, if it's one we know. */
export function keepPromo(search: string) {
  const promo = new URLSearchParams(search).get('promo')
  if (isPromo(promo)) keep('promo', promo)
}

/**
 * What storage returns, or the other value if it is blocked or full. Choices don't use it, since every public page
 * loads them and would be larger with it.
 */
export function tryStorage<T>(ask: () => T, otherwise: T): T {
  try {
    return ask()
  } catch {
    return otherwise
  }
}

const stored = (key: string) => tryStorage(() => localStorage.getItem(key), null)

// --- tokens

/** A token's payload; empty if it isn't a token. */
function payloadOf(token: string): { exp?: unknown; sid?: unknown } {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(atob(payload)) as { exp?: unknown; sid?: unknown }
  } catch {
    return {}
  }
}

/** When a token expires, in seconds; 0 if it isn't a token. */
const endOf = (token: string) => Number(payloadOf(token).exp) || 0

/** A renewed token has the same session as the one before. */
export const isSameSession = (one: string | undefined, other: string | undefined) =>
  one === other || (!!one && !!other && payloadOf(one).sid === payloadOf(other).sid)

/** The server's time, as far as this browser knows it. */
export const now = () => Date.now() + (choices().clock ?? 0)

/** Whether this page knows the server's time, and since when, by the device's clock and by one that can't be set. */
let heard = false
let wall = Date.now()
let steady = performance.now()

/** Since then, the device's clock was set or the device slept, so only the server knows the time. */
const jumped = () => Math.abs(Date.now() - wall - (performance.now() - steady)) > WRONG_MS

function unexpired(key: string): string | undefined {
  const token = stored(key)
  if (!token) return undefined
  const end = endOf(token) * 1000
  // After a jump, the next call learns the time and corrects the clock.
  return end > now() || (end > 0 && jumped()) ? token : undefined
}

const seemsExpired = (key: string) => stored(key) !== null && unexpired(key) === undefined

const HEAR_MS = 5000

/** A token may seem expired because the clock is wrong, or because a wrong clock was put right. */
async function hearTime() {
  try {
    const { headers } = await fetch('/api/health', {
      cache: 'no-store',
      signal: AbortSignal.timeout(HEAR_MS),
    })
    correctClock(headers.get('date'))
  } catch {
    // Without a network the token stays stored, and the next page asks again.
  }
}

/**
 * Deletes what must end with a session, however it ended. Drafts of forms stay until somebody signs out, or somebody
 * else signs in.
 */
function forgetPerson() {
  forgetKept()
  for (const key of SHOWN) localStorage.removeItem(key)
  forgetNotes()
}

const forgetNotes = () =>
  tryStorage(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(NOTE)) sessionStorage.removeItem(key)
  }, undefined)

/** The token of the signed-in person. An expired one is removed, along with what pages showed last. */
export function mainToken(): string | undefined {
  const token = unexpired('token')
  if (!token && heard && stored('token')) {
    localStorage.removeItem('token')
    forgetPerson()
    changed()
  }
  return token
}

const SINGLE = /^singleToken(:|$)/
const guestKeys = () => tryStorage(() => Object.keys(localStorage).filter((key) => SINGLE.test(key)), [])
const ROOM = /^\/(?:text|video)-chat\/(\d+)/

const roomShown = () => ROOM.exec(location.pathname)?.[1]

/** The guest's token for a consult, by default for the room on this page; otherwise the latest. */
export const singleToken = (consultation: unknown = roomShown()) =>
  unexpired(`singleToken:${String(consultation)}`) ?? unexpired('singleToken')

/** Whether this page shows the room of a consult that was bought as a guest. */
export const isGuestsRoom = () => unexpired(`singleToken:${roomShown()}`) !== undefined

/** Every guest token in this browser, this room's first. Each opens one consultation and nothing else. */
export const singleTokens = () =>
  [...new Set([singleToken(), ...guestKeys().map(unexpired)])].filter((token) => token !== undefined)

/** The sessions of these tokens: by default the person's, then the guest's. */
export const sessionIds = (tokens = [unexpired('token'), ...singleTokens()]): string[] =>
  tokens.flatMap((token) => {
    const sid = token && payloadOf(token).sid
    return typeof sid === 'string' ? sid : []
  })

/** Deletes the conversations stored for reading offline: KEPT in device.ts, which islands can't import. */
function forgetKept() {
  if ('indexedDB' in globalThis) indexedDB.deleteDatabase('vetchat-kept')
}

/** Stores the token until it expires. A token for another consult doesn't replace it, so both can be reached. */
export function keepSingleToken(token: string, consultation: number) {
  localStorage.setItem('singleToken', token)
  localStorage.setItem(`singleToken:${consultation}`, token)
  markOpen(true)
  changed()
}

/**
 * Remembers whether a consult is open. If so, public pages lead back to it, and purchase pages show it before their
 * form. The head script reads this before the first paint.
 */
export function markOpen(isOpen: boolean) {
  if ((choices().open === true) !== isOpen) choose({ open: isOpen || undefined })
  document.documentElement.toggleAttribute('data-consult', isOpen)
}

export const signedIn = () => mainToken() !== undefined

/** Learns from a response how wrong this browser's clock is. The header is in whole seconds, and is a bit old. */
export function correctClock(date: string | null) {
  const server = date ? Date.parse(date) : Number.NaN
  if (Number.isNaN(server)) return
  heard = true
  wall = Date.now()
  steady = performance.now()
  const behind = server - wall
  const clock = Math.abs(behind) > WRONG_MS ? behind : undefined
  if (Math.abs((clock ?? 0) - (choices().clock ?? 0)) > 5000) choose({ clock })
}

/** Public pages don't sell a membership to a member. */
export function markMember(isMember: boolean) {
  if (signedIn() && (choices().member === true) !== isMember) choose({ member: isMember || undefined })
}

// --- signing in and out

const markHere = () => (document.cookie = `${MARK}=1; path=/; samesite=strict`)
const isMarked = () => document.cookie.split('; ').includes(`${MARK}=1`)

export function signIn(token: string, remember: boolean) {
  forgetPerson()
  choose({ member: undefined })
  localStorage.setItem('token', token)
  choose({ remember })
  if (!remember) markHere()
  vouches = true
  changed()
}

/** Stores a longer-lived token from a response, if the one it replaces is still stored. */
export function renewToken(old: string, token: string) {
  if (stored('token') !== old) return
  localStorage.setItem('token', token)
  changed()
}

/** Deletes everything of this session here. Another call ends it on the server. */
export const signOut = () => clear(KEPT_ON_SIGN_OUT)

/** The server doesn't accept the token any more. */
export const endSession = () => clear(KEPT_ON_REFUSAL, !mainToken())

function clear(kept: string[], isExpired = false) {
  for (const key of Object.keys(localStorage))
    if (!kept.includes(key.replace(/:.*/, ''))) localStorage.removeItem(key)
  forgetPerson()
  if (!isExpired) sessionStorage.clear()
  document.cookie = `${MARK}=; path=/; max-age=0; samesite=strict`
  vouches = false
  changed()
}

// --- the running browser

let settling: Promise<void> | undefined
/** Whether the stored session has been checked. */
let known = false
/** Whether this tab knows that the browser has been running since sign-in. It then tells new tabs so. */
let vouches = false

/**
 * Resolves once we know whether the stored session is still valid. Without Remember me, it ends with the browser, so a
 * page that finds a token but no mark asks the other tabs, and signs out if none answers.
 */
export const settled = (): Promise<void> => (settling ??= settle())

async function settle() {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== null && key !== 'token') return
    // Signing out in another tab clears this tab's drafts too. After a session expires, they stay.
    if (oldValue && !newValue && endOf(oldValue) * 1000 > now()) sessionStorage.clear()
    if (!newValue) forgetPerson()
    changed()
  })
  answerTabs(TABS, () => vouches && HERE)
  if (['token', ...guestKeys()].some(seemsExpired)) await hearTime()
  if (heard) for (const key of guestKeys().filter(seemsExpired)) localStorage.removeItem(key)
  if (signedIn()) {
    vouches = choices().remember === true || isMarked() || (await askTabs(TABS, ANSWER_MS)) === HERE
    if (!vouches) signOut()
    else if (!choices().remember) markHere()
  }
  // Another tab may have ended the session while this one was between two pages and couldn't notice.
  if (!stored('token')) forgetNotes()
  known = true
  changed()
}

// --- listeners

const listeners = new Set<() => void>()

function changed() {
  const root = document.documentElement
  root.toggleAttribute('data-in', unexpired('token') !== undefined)
  // Only for the headers; the server checks for itself.
  const user = stored('user') ?? ''
  root.toggleAttribute('data-staff', STAFF.test(user))
  root.toggleAttribute('data-admin', ADMIN.test(user))
  for (const listener of listeners) listener()
}

/** Calls back on sign-in and sign-out, in this tab and in others. */
export function onSessionChange(listener: () => void) {
  listeners.add(listener)
  void settled()
  return () => void listeners.delete(listener)
}

/** 'unknown' on the server and until the stored session has been checked. */
export function useSession(): 'unknown' | 'in' | 'out' {
  return useSyncExternalStore(onSessionChange, state, () => 'unknown')
}
const state = () => (!known ? 'unknown' : unexpired('token') ? 'in' : 'out')

/** What pages showed last, as text. */
export const useShown = (key: ShownKey): string | null =>
  useSyncExternalStore(
    onSessionChange,
    () => shownNow(key),
    () => null,
  )

export const shownNow = (key: ShownKey) => (state() === 'in' ? stored(key) : null)

export function keepShown(key: ShownKey, shown: () => unknown) {
  if (!signedIn()) return
  const text = JSON.stringify(shown())
  if (stored(key) === text) return
  // If storage is full, the next page shows its frame without it.
  keep(key, text)
  changed()
}

/** A draft of a clinical note, which ends with the session. */
export const keptNote = (id: number): string | null => sessionStorage.getItem(NOTE + id)

/** If storage is full, the server still has what was saved. */
export const keepNote = (id: number, text: string | null) => keepInTab(NOTE + id, signedIn() ? text : null)
