import type { BrowserContext, Page } from 'playwright'
import { expect, it } from 'vitest'
import { DAY } from '#contract/time.ts'
import { REFUSED_LATER, choosePhoto } from './forms.ts'
import { consultAt, tokenOf } from './people.ts'
import { accessible, stage } from './stage.ts'

/** Starts a separate product, because these journeys move its clock and leave memberships and claims behind. */
const at = stage({
  // These journeys cut connections. The browser logs that.
  expected: /ERR_INTERNET_DISCONNECTED|net::ERR_FAILED|\/api\/live/,
  env: { INSURER_EMAIL: 'claims@insurer.example' },
})

const send = (path: string, body?: object, token?: string) => at.call<{ token: string }>(path, body, token)

/** Opens the account in a tab and records its calls. */
async function openAccount(phone: BrowserContext) {
  const page = await at.page(phone)
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/(?!live)/.test(pathname)) calls.push(pathname)
  })
  // Once the socket has said hello, pushes arrive.
  const greeted = new Promise<void>((resolve) => {
    page.on('websocket', (line) =>
      line.on('framereceived', ({ payload }) => String(payload).startsWith('40') && resolve()),
    )
  })
  await page.goto(`${at.url}/myaccount`)
  await page.getByRole('heading', { name: 'My Pets' }).waitFor()
  await greeted
  await page.waitForLoadState('networkidle')
  return { page, calls }
}

const membership = (page: Page) => page.getByRole('region', { name: 'Membership' })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click()

it('a membership is cancelled and restarted, and another tab shows it without a reload [ACC-3] [SUB-2] [SUB-3] [SUB-4]', async () => {
  const phone = await at.deviceOf('owner')
  const { page } = await openAccount(phone)
  const { page: other } = await openAccount(phone)
  await membership(page).getByText('Next Payment').waitFor()

  await press(page, 'Manage Subscription')
  await page.getByText('It renews automatically.').waitFor()
  await accessible(page)
  await press(page, 'Cancel membership')
  await page
    .getByText(/^Everything continues until .*: consults, and PawCare for Biscuit, Mielie and Nala\.$/)
    .waitFor()
  await accessible(page)
  await phone.setOffline(true)
  await press(page, 'Cancel membership')
  await page.getByText('VetChat didn’t respond.').waitFor()
  await phone.setOffline(false)
  await press(page, 'Cancel membership')
  await page.getByText('Subscription updated successfully.').waitFor()
  await membership(page).getByText('Ends on').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Text Now' }).waitFor()

  await membership(other).getByText('Ends on').waitFor()
  await press(other, 'Restart')
  await other.getByText('There’s nothing to pay now.').waitFor()
  await other.getByText(/^The next payment is R2\s000 on .* until you cancel\.$/).waitFor()
  await accessible(other)
  await press(other, 'Restart membership')
  await other.getByText('Subscription updated successfully.').waitFor()
  await other.locator(':focus', { hasText: /^Membership$/ }).waitFor()
  await membership(page).getByText('Next Payment').waitFor()
})

it('a consult from another phone, and the vet who takes it, appear without a reload [ACC-5] [ACC-8] [ACC-10]', async () => {
  const { page, calls } = await openAccount(await at.deviceOf('zanele'))
  const asked = () => calls.filter((path) => path === '/api/consultation').length
  await expect.poll(asked).toBeGreaterThan(0)
  const before = asked()
  const { id } = await consultAt(at.url, await tokenOf('zanele', at.url), 'He sneezes.')
  // Another of her consults is waiting already.
  const card = page.getByRole('region').filter({ hasText: 'He sneezes.' })
  await card.getByRole('heading', { name: 'Waiting for a vet' }).waitFor()
  await at.call(`/consultation/${id}/take`, {}, await tokenOf('vet', at.url))
  await card.getByRole('heading', { name: 'Dr Naidoo is with you' }).waitFor()
  // A change asks once or twice, and a late connection may ask too, but the page doesn't keep asking.
  expect(asked() - before).toBeLessThanOrEqual(5)
})

it('a failed payment appears without a reload, with a link to the card [SUB-2] [SUB-5]', async () => {
  const { page } = await openAccount(await at.deviceOf('aisha'))
  await membership(page).getByText('Next Payment').waitFor()
  const session = await tokenOf('aisha', at.url)
  const { token } = await send('/sandbox/card', REFUSED_LATER)
  await send('/subscription/updatePayment', { payload: { token } }, session)
  await send('/sandbox/clock', { days: 22 })
  await membership(page).getByText('Payment failed').waitFor()
  await membership(page).getByText('Would end on').waitFor()
  expect(await membership(page).getByRole('link', { name: 'Update card' }).getAttribute('href')).toBe(
    '/myaccount/profile#card',
  )
  await accessible(page)
})

const INVOICE = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Root 1 0 R/Size 3>>
startxref
9
%%EOF
`

it('a vet bill is claimed with its invoice and appears in the list [PET-10]', async () => {
  const { page, calls } = await openAccount(await at.deviceOf('pieter'))
  expect([...new Set(calls)].toSorted()).toEqual(['/api/consultation', '/api/pet', '/api/user/me'])
  await press(page, 'Claim for a vet bill')
  const dialog = page.getByRole('dialog')
  await press(page, 'Send claim')
  await dialog.getByText('Choose what happened.').first().waitFor()
  await accessible(page)
  await dialog.getByLabel('What happened?').selectOption('Snake bite toxicity')
  const day = new Date(Date.now() - 3 * DAY).toISOString().slice(0, 10)
  await dialog.getByLabel('The day it happened').fill(day.split('-').toReversed().join('/'))
  await dialog.getByLabel('Amount of the invoice').fill('8 450,50')
  await dialog.getByText(/^PawCare would pay R3\s450\.50$/).waitFor()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from(INVOICE) })
  await dialog.getByText('invoice.pdf').waitFor()
  await page.route('**/api/claims', (route) => route.abort(), { times: 1 })
  await press(page, 'Send claim')
  await dialog.getByText('the claim may not have arrived').waitFor()
  await press(page, 'Send claim')
  await dialog.getByText('Your claim for Rex is with us').waitFor()
  await dialog.getByText(/^PawCare would pay R3\s450\.50\. We’ll send it/).waitFor()
  await accessible(page)
  await press(page, 'My claims')
  await dialog.getByText('Rex: Snake bite toxicity').waitFor()
  await dialog.getByText(/^PawCare would pay R3\s450\.50/).waitFor()
  await accessible(page)
})

it('a photo chosen in the start dialog survives a reload, and is in the room once [ACC-6] [CON-4]', async () => {
  const { page } = await openAccount(await at.deviceOf('pieter'))
  await press(page, 'Text Now')
  await press(page, 'None of these')
  await page.getByLabel('What’s wrong?').fill('Rex limps.')
  await choosePhoto(page.locator('dialog input[type=file]'), 'paw.jpg')
  await page.getByRole('img', { name: 'Photo 1' }).waitFor()
  await expect.poll(() => page.evaluate(`'photos:consult' in sessionStorage`)).toBe(true)
  await page.reload()
  await press(page, 'Text Now')
  await page.getByRole('img', { name: 'Photo 1' }).waitFor()
  await page.getByRole('dialog').getByRole('checkbox').check()
  await press(page, 'Start text consult')
  await page.waitForURL(/\/text-chat\/\d+$/)
  const photos = page.getByRole('log').getByRole('img', { name: /photo/i })
  await photos.first().waitFor()
  // The room keeps a draft of its own.
  const left = `Object.keys(sessionStorage).filter((key) => !/^(draft:questions|whose)/.test(key)).length`
  expect([await photos.count(), await page.evaluate(left)]).toEqual([1, 0])
})
