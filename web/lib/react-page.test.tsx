import { useQuery } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { mount } from '../test/mount.tsx'
import { ReactPage } from './react-page.tsx'
import { keepShown, signIn, signOut } from './session.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

function Asking({ ask }: { ask: () => Promise<string> }) {
  const { data = 'Asking' } = useQuery({ queryKey: ['what'], queryFn: ask })
  return data
}

function draw(ask: () => Promise<string>) {
  const show = (who: string) =>
    mount(
      <ReactPage link="a" path="/login">
        <Asking key={who} ask={ask} />
      </ReactPage>,
    )
  show('one')
  return show
}

const shown = () => document.body.textContent

it('a call that a visitor makes straight away is answered', async () => {
  draw(async () => 'Answered')
  await expect.poll(shown).toContain('Answered')
})

it('the next person finds nothing that the previous one saw [SHL-10]', async () => {
  signIn(`h.${btoa('{"exp":4102444800}')}.s`, true)
  let asked = 0
  const show = draw(async () => `Answer ${++asked}`)
  await expect.poll(shown).toContain('Answer 1')
  signOut()
  show('another')
  await expect.poll(shown).toContain('Answer 2')
})

it('a page that never asks who is signed in still says whose drafts its tab has [SHL-10]', async () => {
  signIn(`h.${btoa('{"exp":4102444800}')}.s`, true)
  draw(async () => 'Answered')
  await expect.poll(shown).toContain('Answered')
  expect(sessionStorage.getItem('whose')).toBeNull()
  keepShown('user', () => ({ type: 1, firstName: 'Thandi', id: 7 }))
  expect(sessionStorage.getItem('whose')).toBe('7')
})

it('the offline page is stored once this page has loaded [SHL-16]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  vi.stubEnv('PROD', true)
  const register = vi.spyOn(navigator.serviceWorker, 'register').mockRejectedValue(new Error('refused'))
  const { promise, resolve } = Promise.withResolvers<string>()
  draw(() => promise)
  await expect.poll(shown).toContain('Asking')
  vi.advanceTimersByTime(MINUTE)
  expect(register).not.toHaveBeenCalled()
  resolve('Answered')
  await expect.poll(shown).toContain('Answered')
  vi.advanceTimersByTime(MINUTE)
  expect(register.mock.calls).toEqual([['/worker.js']])
})
