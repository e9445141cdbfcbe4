import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import Menus from './menus.island.tsx'

it('a menu stays open while the focus is in it, and closes when the focus moves on [SHL-1]', async () => {
  mount(
    <>
      <header>
        <details>
          <summary>Menu</summary>
          <a href="#one">One</a>
          <a href="#two">Two</a>
        </details>
      </header>
      <button type="button">Below</button>
      <Menus />
    </>,
  )
  await page.getByText('Menu').click()
  await userEvent.tab()
  await userEvent.tab()
  await expect.element(page.getByText('Two')).toHaveFocus()
  expect(document.querySelector('details')!.open).toBe(true)
  await userEvent.tab()
  await expect.element(page.getByText('Below')).toHaveFocus()
  expect(document.querySelector('details')!.open).toBe(false)
})
