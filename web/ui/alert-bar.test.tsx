import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { MINUTE } from '#contract/time.ts'
import { AlertProvider, useAlert } from './alert-bar.tsx'

let tell: ReturnType<typeof useAlert>['show']
let leave: () => void

function Page() {
  tell = useAlert().show
  return null
}

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  // Where an earlier test left the pointer, the bar may appear under it.
  await userEvent.hover(document.documentElement, { position: { x: 1, y: 1 } })
  vi.useFakeTimers()
  const root = document.body.appendChild(document.createElement('div'))
  const react = createRoot(root)
  await act(() =>
    react.render(
      <AlertProvider>
        <Page />
      </AlertProvider>,
    ),
  )
  leave = () => {
    act(() => react.unmount())
    root.remove()
  }
})

afterEach(() => {
  leave()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
})

const said = () => document.querySelector('[role=status]')?.textContent
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const bar = () => document.querySelector('[role=status] > div') as HTMLElement
const over = (kind: 'mouseover' | 'mouseout') =>
  act(() => bar().dispatchEvent(new MouseEvent(kind, { bubbles: true })))

it('a message is announced, and hides itself after 6000 ms [SHL-8]', async () => {
  await act(() => tell('Pet information updated.'))
  expect(said()).toBe('Pet information updated.')
  await pass(5999)
  expect(said()).toBe('Pet information updated.')
  await pass(1)
  expect(said()).toBe('')
})

it('a message is gone once the next form is sent [SHL-8]', async () => {
  await act(() => tell('Your details are saved.'))
  await act(() => document.body.dispatchEvent(new Event('submit')))
  expect(said()).toBe('')
})

it('a message moves up where it would cover a form’s button [SHL-8]', async () => {
  const middle = () => {
    const { top, bottom } = bar().getBoundingClientRect()
    return (top + bottom) / 2 / innerHeight
  }
  await act(() => tell('Saved.'))
  expect(middle()).toBeGreaterThan(0.5)
  const save = document.body.appendChild(document.createElement('button'))
  save.type = 'submit'
  save.textContent = 'Save'
  save.style.cssText = 'position: fixed; bottom: 30px; left: 30px'
  await act(() => tell('Saved again.'))
  expect(middle()).toBeLessThan(0.5)
  save.remove()
  await act(() => tell('Saved once more.'))
  expect(middle()).toBeGreaterThan(0.5)
})

it('a failure is announced straight away, and says what to do about it on a line of its own [SHL-8] [SHL-12]', async () => {
  await act(() => tell('An Error Occurred', 'failed', 'Try again in a minute.'))
  const lines = document.querySelectorAll('[role=alert] p')
  expect([...lines].map((line) => line.textContent)).toEqual(['An Error Occurred', 'Try again in a minute.'])
  expect(said()).toBe('')
})

it('a message can be closed sooner [SHL-8]', async () => {
  await act(() => tell('Saved.'))
  await act(() => bar().querySelector('button')?.click())
  expect(said()).toBe('')
})

it('a message stays while hovered, and hides 6000 ms after the pointer leaves [SHL-8]', async () => {
  await act(() => tell('Saved.'))
  await over('mouseover')
  await pass(MINUTE)
  expect(said()).toBe('Saved.')
  await over('mouseout')
  await pass(6000)
  expect(said()).toBe('')
})

it('a message stays while it has the focus [SHL-8]', async () => {
  await act(() => tell('Saved.'))
  await act(() => bar().querySelector('button')?.focus())
  await pass(MINUTE)
  expect(said()).toBe('Saved.')
  await act(() => bar().querySelector('button')?.blur())
  await pass(6000)
  expect(said()).toBe('')
})

it('a newer message gets its own 6000 ms [SHL-8]', async () => {
  await act(() => tell('First.'))
  await pass(5000)
  await act(() => tell('Second.'))
  await pass(5000)
  expect(said()).toBe('Second.')
})
