import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { sampleToken } from '#test/samples.ts'
import { visit } from '../test/visit.tsx'
import ResetPassword from './reset-password.page.tsx'

it.each([
  ['somebody who is signed in here signs out first', sampleToken(), '/logout'],
  ['everybody else signs in', undefined, '/login'],
])('after a reset, %s [LOG-7]', async (_who, signedIn, next) => {
  if (signedIn) {
    localStorage.setItem('token', signedIn)
    localStorage.setItem('vetchat', '{"remember":true}')
  }
  visit('/resetpwd/:code?', '/resetpwd/ABCDEFGHIJKLMNOPQRST', ResetPassword, () => ({}))
  await page.getByLabelText('New password').fill('Brandnew1')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect.element(page.getByRole('link', { name: 'Login' })).toHaveAttribute('href', next)
})
