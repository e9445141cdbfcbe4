import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { Button } from './button.tsx'
import { Menu, MenuButton } from './menu.tsx'

it('a menu works by keyboard, and gives the focus back', async () => {
  const logout = vi.fn()
  mount(
    <Menu label="My account" renderOpener={(opener) => <Button {...opener}>Thandi</Button>}>
      <MenuButton>Profile</MenuButton>
      <MenuButton onClick={logout}>Logout</MenuButton>
    </Menu>,
  )
  const opener = page.getByRole('button', { name: 'Thandi' })
  const item = (name: string) => page.getByRole('menuitem', { name })

  await expect.element(opener).toHaveAttribute('aria-expanded', 'false')
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(item('Profile')).toHaveFocus()
  await expect.element(opener).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(item('Logout')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(item('Profile')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(opener).toHaveFocus()
  await expect.element(item('Profile')).not.toBeInTheDocument()

  await userEvent.keyboard('{Enter}')
  await expect.element(item('Profile')).toHaveFocus()
  await userEvent.keyboard('{End}{Enter}')
  expect(logout).toHaveBeenCalledTimes(1)
  await expect.element(opener).toHaveFocus()
})
