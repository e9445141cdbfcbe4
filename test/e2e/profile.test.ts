import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import { button, field, signIn } from './forms.ts'
import { DEMO_PASSWORD, emailOf, remembered, tokenOf } from './people.ts'
import { accessible, PHONE, stage } from './stage.ts'

const NEW_PASSWORD = 'Fresh1234'

/** Starts a separate product, because these journeys change passwords and delete an account. */
const at = stage({
  // These journeys cause refused calls. The browser logs them.
  expected: /status of 4\d\d|ERR_(INTERNET_DISCONNECTED|FAILED)/,
})

async function typeLogin(page: Page, email: string) {
  await page.goto(`${at.url}/login?from=/myaccount/profile`)
  await page.waitForLoadState('networkidle')
  await signIn(page, email)
}

/** Opens the profile on a new device, already signed in. */
async function profileOf(who: string, password = DEMO_PASSWORD) {
  const storageState = remembered(at.url, await tokenOf(who, at.url, password))
  const page = await at.page({ ...PHONE, acceptDownloads: true, storageState })
  await page.goto(`${at.url}/myaccount/profile`)
  await page.getByRole('button', { name: 'Download my data' }).waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

const dialog = (page: Page) => page.getByRole('dialog')
const sees = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

it('details and choices are saved separately, and nothing typed is lost offline [PRO-1] [PRO-2]', async () => {
  const page = await profileOf('owner')
  await accessible(page)
  await field(page, 'Mobile number').fill('')
  await button(page, 'Save details').click()
  await sees(page, ERRORS.PHONE_MISSING.message)
  await field(page, 'Mobile number').fill('12')
  await button(page, 'Save details').click()
  await sees(page, ERRORS.PHONE_TOO_SHORT.message)
  await field(page, 'Mobile number').fill('083 000 1111')
  await page.context().setOffline(true)
  await button(page, 'Save details').click()
  await sees(page, ERRORS.USER_UPDATE_FAILED.message)
  await accessible(page)
  await page.context().setOffline(false)
  await page.reload()
  await button(page, 'Download my data').waitFor()
  expect(await field(page, 'Mobile number').inputValue()).toBe('083 000 1111')
  await button(page, 'Save details').click()
  await sees(page, 'Your details are saved.')
  await page.getByRole('checkbox', { name: /^Care reminders/ }).uncheck()
  await button(page, 'Save choices').click()
  await sees(page, 'Your choices are saved.')
  await page.reload()
  await button(page, 'Download my data').waitFor()
  expect(await field(page, 'Mobile number').inputValue()).toBe('083 000 1111')
  expect(await page.getByRole('checkbox', { name: /^Care reminders/ }).isChecked()).toBe(false)
})

it('a new password keeps this device signed in and ends the others [PRO-3] [PRO-5]', async () => {
  const [page, other] = [await profileOf('vet'), await profileOf('vet')]
  expect(await button(page, /Replace card|Add card|Delete my account/).count()).toBe(0)
  await field(page, 'Current password').fill('Wrong1234')
  await field(page, 'New password').fill(NEW_PASSWORD)
  await field(page, 'Confirm new password').fill(NEW_PASSWORD)
  await button(page, 'Change password').click()
  await sees(page, ERRORS.PASSWORD_UPDATE_FAILED.message)
  await sees(page, ERRORS.CURRENT_PASSWORD_WRONG.message)
  await field(page, 'Current password').fill(DEMO_PASSWORD)
  await button(page, 'Change password').click()
  await sees(page, /^Your password has been changed/)
  await other.waitForURL('**/login?*')
  await page.reload()
  await sees(page, 'This device')
  const third = await profileOf('vet', NEW_PASSWORD)
  await page.reload()
  await button(page, 'Sign out everywhere else').click()
  await sees(page, 'You’ve been signed out everywhere else.')
  await third.waitForURL('**/login?*')
  await typeLogin(third, emailOf('vet'))
  await dialog(third).getByText(ERRORS.SIGN_IN_FAILED.message).waitFor()
})

async function typeCard(page: Page, number: string) {
  await field(page, 'Card number').fill(number)
  await field(page, 'Expiry date').fill('09/31')
  await field(page, 'Security code').fill('123')
  await dialog(page).getByRole('button', { name: 'Save card' }).click()
}

it('a card can be declined, questioned by the bank, refused, confirmed and replaced; its number goes to one call only [PRO-4] [SHL-10]', async () => {
  const page = await profileOf('new')
  const told: string[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/sandbox/card')) told.push(request.url() + (request.postData() ?? ''))
  })
  await button(page, 'Add card').click()
  await dialog(page).getByRole('button', { name: 'Save card' }).click()
  await sees(page, ERRORS.CARD_MISSING.message)
  await accessible(page)
  await typeCard(page, '4000000000000002')
  await dialog(page).getByRole('alert').waitFor()
  expect(await field(page, 'Card number').inputValue()).toBe('4000 0000 0000 0002')
  await typeCard(page, '4000002500003155')
  await sees(page, 'Your bank wants you to confirm')
  await accessible(page)
  await button(page, 'Decline').click()
  await sees(page, /^Your bank didn’t confirm this card/)
  await dialog(page).getByRole('button', { name: 'Save card' }).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await sees(page, 'Your card is saved.')
  await sees(page, 'Visa ending in 3155')
  await button(page, 'Replace card').click()
  await typeCard(page, '5555555555554444')
  await sees(page, 'Mastercard ending in 4444')
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  for (const secret of ['5555555555554444', '5555 5555', '4000002500003155'])
    expect([kept, ...told].some((where) => where.includes(secret))).toBe(false)
})

it('a new email takes effect once its link was opened [PRO-1]', async () => {
  const page = await profileOf('petstock')
  await button(page, 'Change email').click()
  await field(page, 'New email').fill('moved@example.com')
  await field(page, 'Your password').fill(DEMO_PASSWORD)
  await button(page, 'Send the link').click()
  await sees(page, 'Check your new inbox')
  const link = await at.mailed('moved@example.com', /\/confirm-email\/[\w-]+/)
  await page.goto(at.url + link)
  await page.waitForLoadState('networkidle')
  await button(page, 'Use this email').click()
  await sees(page, 'Your email is confirmed')
  expect(new URL(page.url()).pathname).toBe('/confirm-email')
  await page.goto(at.url + link)
  await page.waitForLoadState('networkidle')
  await button(page, 'Use this email').click()
  await sees(page, ERRORS.EMAIL_LINK_WRONG.message)
  await sees(page, 'Already confirmed it? Then there’s nothing left to do.')
  await accessible(page)
  await page.getByRole('link', { name: 'change your email in your profile' }).click()
  await sees(page, 'moved@example.com')
})

it('a form that could not load offline opens once the connection is back [ACC-10]', async () => {
  const page = await profileOf('zanele')
  const script = /\/assets\/email-dialog-/
  await page.context().setOffline(true)
  await button(page, 'Change email').click()
  await sees(page, 'We couldn’t load this form')
  await button(page, 'Try again').click()
  await sees(page, 'We couldn’t load this form')
  await page.context().setOffline(false)
  // Some browsers never request a failed script again, so the page reloads.
  await page.route(script, (route) => route.abort())
  await Promise.all([page.waitForEvent('load'), button(page, 'Try again').click()])
  await page.unroute(script)
  await button(page, 'Change email').click()
  await field(page, 'New email').waitFor()
  expect(await field(page, 'New email').inputValue()).toBe('')
})

it('an owner can download their data, and delete the account with the password [PRO-5]', async () => {
  const page = await profileOf('lapsed')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Download my data').click(),
  ])
  const data = JSON.parse(readFileSync(await download.path(), 'utf8')) as { details: { email: string } }
  expect(download.suggestedFilename()).toBe('vetchat-my-data.json')
  expect(data.details.email).toBe(emailOf('lapsed'))
  await button(page, 'Delete my account').click()
  await field(page, 'Your password').fill('Wrong1234')
  await dialog(page).getByRole('button', { name: 'Delete my account' }).click()
  await sees(page, ERRORS.CURRENT_PASSWORD_WRONG.message)
  await accessible(page)
  await field(page, 'Your password').fill(DEMO_PASSWORD)
  await dialog(page).getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor()
  await accessible(page)
  await typeLogin(page, emailOf('lapsed'))
  await dialog(page).getByText(ERRORS.SIGN_IN_FAILED.message).waitFor()
})
