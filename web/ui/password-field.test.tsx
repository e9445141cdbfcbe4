import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from '../test/mount.tsx'
import { PasswordField } from './password-field.tsx'

const rules = [
  { label: '8 characters', met: (password: string) => password.length >= 8 },
  { label: '0–9', met: (password: string) => /[0-9]/.test(password) },
]

it('the field ticks each rule during typing, in words too, and a button that names it shows the password on request [LOG-8]', async () => {
  mount(<PasswordField label="New password" autoComplete="new-password" rules={rules} />)
  const field = page.getByLabelText('New password')
  const rule = (at: number) =>
    page.getByRole('list', { name: 'Your password needs' }).getByRole('listitem').nth(at)

  await expect.element(rule(0)).toHaveTextContent('8 characters, not yet')
  await field.fill('biscuits')
  await expect.element(rule(0)).toHaveTextContent('8 characters, yes')
  await expect.element(rule(1)).toHaveTextContent('0–9, not yet')
  await field.fill('biscuits1')
  await expect.element(rule(1)).toHaveTextContent('0–9, yes')

  await expect.element(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show: New password' }).click()
  await expect.element(field).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide: New password' }).click()
  await expect.element(field).toHaveAttribute('type', 'password')
})
