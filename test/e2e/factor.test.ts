import { TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { signIn } from './forms.ts'
import { DEMO_PASSWORD, emailOf } from './people.ts'
import { accessible, DESK, stage } from './stage.ts'

/** A product of its own, because the vet keeps the second factor. The browser logs the sign-ins that ask for a code. */
const at = stage({ expected: /status of (400|401|403)/ })

it('a vet turns on a second factor, signs in with a code and with a recovery code, and keeps new ones [PRO-6]', async () => {
  const page = await at.page(DESK)
  const login = async () => {
    await page.goto(`${at.url}/login`)
    await signIn(page, emailOf('vet2'))
  }
  const enter = async (label: string, code: string) => {
    await page.getByLabel(label).fill(code)
    await page.locator('main').getByRole('button', { name: 'Login', exact: true }).click()
  }
  await login()
  await page.waitForURL('**/myaccount')
  await page.goto(`${at.url}/myaccount/profile`)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await accessible(page)
  const key = (await page.getByText('Can’t scan? Type').locator('b').innerText()).replaceAll(' ', '')
  const app = new TOTP({ secret: key })
  await page.getByLabel('Type the 6 digits that it shows').pressSequentially(app.generate())
  const heading = page.getByRole('heading', { name: 'Keep these ten recovery codes' })
  await heading.and(page.locator(':focus')).waitFor()
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await accessible(page)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page
    .getByRole('dialog')
    .getByRole('status')
    .getByText(/Copied|couldn’t copy/)
    .waitFor()
  const turnOn = page.getByRole('button', { name: 'Turn it on' })
  expect(await turnOn.getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('I’ve put them somewhere safe').check()
  await turnOn.click()
  await page.getByText('10 recovery codes are left.').waitFor()

  await page.goto(`${at.url}/logout`)
  await expect.poll(() => page.evaluate('localStorage.token === undefined')).toBe(true)
  await login()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await accessible(page)
  await enter('Code from your app', '000000')
  await page.getByText('This code is wrong or already used.').first().waitFor()
  // The first code is used up, and the next one is valid already.
  await enter('Code from your app', app.generate({ timestamp: Date.now() + 30_000 }))
  await page.waitForURL('**/myaccount')

  await page.goto(`${at.url}/logout`)
  await expect.poll(() => page.evaluate('localStorage.token === undefined')).toBe(true)
  await login()
  await enter('Code from your app', '000000')
  await page.getByText('This code is wrong or already used.').first().waitFor()
  await page.getByRole('button', { name: 'I don’t have my phone' }).click()
  expect(await page.getByText('This code is wrong').count()).toBe(0)
  await enter('Recovery code', 'abcde-fghij')
  await page.getByText('This recovery code is wrong or already used.').first().waitFor()
  await enter('Recovery code', codes[0]!.toLowerCase())
  await page.waitForURL('**/myaccount')
  await page.goto(`${at.url}/myaccount/profile`)
  await page.getByText('9 recovery codes are left.').waitFor()

  // The earlier codes no longer work, so the new ones stay visible until they are saved.
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByLabel('Code from your app').fill(codes[1]!)
  await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click()
  await heading.waitFor()
  await accessible(page)
  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
  expect(await page.getByRole('button', { name: 'Done' }).getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('I’ve put them somewhere safe').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('10 recovery codes are left.').waitFor()
})
