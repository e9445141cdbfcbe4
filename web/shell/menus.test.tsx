import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import Menus from './menus.island.tsx'

let leave: () => void
const menu = () => document.querySelector('details')!
const summary = () => document.querySelector('summary')!

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  document.body.innerHTML = `
    <header><details><summary>Menu</summary><a href="#one">One</a><a href="#two">Two</a></details></header>
    <button>Below</button><div></div>`
  const react = createRoot(document.querySelector('div')!)
  await act(() => react.render(<Menus />))
  leave = () => act(() => react.unmount())
  summary().focus()
  await userEvent.keyboard('{Enter}')
})
afterEach(() => leave())

it('a menu stays open while the focus is in it, and closes when the focus moves on [SHL-1]', async () => {
  await userEvent.tab()
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('Two')
  expect(menu().open).toBe(true)
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('Below')
  expect(menu().open).toBe(false)
})

it('Escape closes a menu and gives the focus back [SHL-1]', async () => {
  await userEvent.tab()
  await userEvent.keyboard('{Escape}')
  expect(menu().open).toBe(false)
  expect(document.activeElement).toBe(summary())
})

it('a click elsewhere or on a link closes a menu [SHL-1]', async () => {
  await userEvent.click(document.body)
  expect(menu().open).toBe(false)
  await userEvent.click(summary())
  await userEvent.click(document.querySelector('a')!)
  expect(menu().open).toBe(false)
})
