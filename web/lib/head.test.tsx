import { beforeEach, expect, it } from 'vitest'
import { sampleToken } from '#test/samples.ts'

const remember = (value: string) => {
  localStorage.setItem('token', value)
  localStorage.setItem('vetchat', JSON.stringify({ remember: true }))
}
const root = document.documentElement
/** Not a module, so it's loaded by its address; it runs once per document. */
const script: string = './head.ts'

beforeEach(async () => {
  document.cookie = 'vetchat_here=; path=/; max-age=0'
  await import(/* @vite-ignore */ script)
})

it('the page is marked when another tab signs in, and no longer when it signs out [SHL-2]', () => {
  remember(sampleToken(60))
  dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  expect(root.hasAttribute('data-in')).toBe(true)
  localStorage.removeItem('token')
  dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  expect(root.hasAttribute('data-in')).toBe(false)
})

it('the mark is checked again when the page returns from the back-forward cache [SHL-2]', () => {
  root.setAttribute('data-in', '')
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(root.hasAttribute('data-in')).toBe(false)
})

it('ignores an expired token and one from a browser that was closed, not one of the running browser [SHL-11, LOG-2]', () => {
  remember(sampleToken(-60))
  dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  expect(root.hasAttribute('data-in')).toBe(false)
  remember(sampleToken(60))
  localStorage.setItem('vetchat', '{}')
  dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  expect(root.hasAttribute('data-in')).toBe(false)
  document.cookie = 'vetchat_here=1; path=/'
  dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  expect(root.hasAttribute('data-in')).toBe(true)
})

it('recognises signed-in staff, and admins among them, before the first paint [VET-1] [VET-4]', () => {
  const look = (type?: number) => {
    if (type) localStorage.setItem('user', JSON.stringify({ type, firstName: 'Sam' }))
    dispatchEvent(new StorageEvent('storage', { key: 'user' }))
    return ['data-staff', 'data-admin'].filter((mark) => root.hasAttribute(mark))
  }
  remember(sampleToken(60))
  expect(look()).toEqual([])
  expect(look(1)).toEqual([])
  expect(look(2)).toEqual(['data-staff'])
  expect(look(3)).toEqual(['data-staff', 'data-admin'])
  localStorage.removeItem('token')
  expect(look()).toEqual([])
})

it('knows of an open consult only if this browser marked one and has its token [BUY-9]', () => {
  const look = () => {
    dispatchEvent(new StorageEvent('storage', { key: 'vetchat' }))
    return root.hasAttribute('data-consult')
  }
  localStorage.setItem('vetchat', '{}')
  expect([look(), look()]).toEqual([false, false])
  localStorage.setItem('vetchat', '{"open":true}')
  expect(look()).toBe(false)
  localStorage.setItem('singleToken', sampleToken(60))
  expect(look()).toBe(true)
})
