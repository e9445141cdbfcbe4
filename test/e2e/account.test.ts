import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import { choosePhoto, signIn } from './forms.ts'
import { emailOf } from './people.ts'
import { accessible, stage } from './stage.ts'

/** Starts a separate product, because these journeys leave pets and consultations behind. */
const at = stage({
  // These journeys cause refused calls and open a missing room. The browser logs them.
  expected:
    /status of 4\d\d|ERR_INTERNET_DISCONNECTED|\/upload.* net::ERR_FAILED|net::ERR_FAILED \(.*\/upload\)/,
})

async function isThere(page: Page, heading = 'My Pets') {
  await page.getByRole('heading', { name: heading }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** Opens the account as somebody who is already signed in. */
async function accountOf(who: string) {
  const page = await at.page(await at.deviceOf(who))
  await page.goto(`${at.url}/myaccount`)
  await isThere(page)
  return page
}

/** Signs in through the form and opens the account. Returns the calls that it made. */
async function signInAs(who: string, heading?: string) {
  const page = await at.page()
  await page.goto(`${at.url}/login`)
  await page.waitForLoadState('networkidle')
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/(?!live)/.test(pathname) && !page.url().endsWith('/login')) calls.push(pathname)
  })
  await signIn(page, emailOf(who))
  await page.waitForURL('**/myaccount')
  await isThere(page, heading)
  return { page, calls }
}

const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name })
const choose = (page: Page, name: string) => dialog(page).getByRole('radio', { name }).check()
const pets = (page: Page) => page.getByRole('region', { name: 'My Pets' })

it('a new owner reads what to do first; a pet needs a card, which is added on the way, and nothing typed is lost [ACC-1] [ACC-2] [ACC-10] [PET-2]', async () => {
  const page = await accountOf('new')
  await page.getByRole('heading', { name: 'Welcome, Lerato', level: 1 }).waitFor()
  for (const words of ['Get ready', 'None yet', 'No pets yet', 'Nothing here yet'])
    await page.getByText(words, { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /Text Now|Video Now/ }).count()).toBe(0)
  await accessible(page)

  await page.getByRole('button', { name: 'Add a pet' }).click()
  await inDialog(page, 'Add pet').click()
  await dialog(page).getByText(ERRORS.PET_DETAILS_MISSING.message).first().waitFor()
  await dialog(page).getByText(ERRORS.PET_TERMS_NOT_AGREED.message).first().waitFor()
  await choose(page, 'Rabbit')
  expect(await dialog(page).getByLabel('Breed').count()).toBe(0)
  await dialog(page).getByLabel('Name').fill('Pixel')
  await dialog(page).getByRole('checkbox').check()
  await page.context().setOffline(true)
  await inDialog(page, 'Add Pixel').click()
  await dialog(page).getByText('this may not be saved yet').waitFor()
  await page.context().setOffline(false)
  await inDialog(page, 'Add Pixel').click()
  await dialog(page).getByText(ERRORS.PET_NEEDS_PAYMENT_METHOD.message).waitFor()
  await inDialog(page, 'Add card').and(page.locator(':focus')).waitFor()
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Pixel')
  await accessible(page)
  // The card is asked for above the form, and saved without leaving it.
  await inDialog(page, 'Add card').click()
  const card = page.getByRole('dialog', { name: 'Add card' })
  await card.getByLabel('Card number').fill('4242 4242 4242 4242')
  await card.getByLabel(/Expiry/).fill('12 / 34')
  await card.getByLabel(/CVC|Security code/).fill('123')
  await card.getByRole('button', { name: 'Save card' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByText('First, add a card to your account').waitFor({ state: 'detached' })
  await inDialog(page, 'Add Pixel').click()
  await pets(page).getByText('Pixel').waitFor()
  await page.getByText('Done. A vet will know about them before the first question.').waitFor()
})

it("an owner's page is complete with three calls [ACC-1] [ACC-2] [ACC-4] [ACC-5]", async () => {
  const { page, calls } = await signInAs('owner')
  await page.getByRole('heading', { name: 'Hello, Thandi', level: 1 }).waitFor()
  expect([...new Set(calls)].toSorted()).toEqual(['/api/consultation', '/api/pet', '/api/user/me'])
  await page.getByRole('button', { name: 'Video Now' }).waitFor()
  await page.setViewportSize({ width: 360, height: 640 })
  const high = async (name: string) => (await page.getByRole('button', { name }).boundingBox())!.height
  expect([await high('Text Now'), await high('Video Now')]).toEqual([48, 48])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByText('Next Payment').waitFor()
  await pets(page).getByText('3 of 5 pets on this membership').waitFor()
  await pets(page).getByRole('button', { name: 'Edit Biscuit' }).waitFor()
  const rows = page.getByRole('region', { name: 'My Consultation History' }).getByRole('link')
  expect(await rows.count()).toBe(4)
  const ids = await rows.evaluateAll((links: { getAttribute(name: string): string }[]) =>
    links.map((link) => Number(/^\/(?:text|video)-chat\/(\d+)$/.exec(link.getAttribute('href'))?.[1])),
  )
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  await rows.first().getByText('Completed').first().waitFor({ state: 'attached' })
})

it('the account of staff never loads what only owners have, not even the first time [ACC-1]', async () => {
  const { page, calls } = await signInAs('vet', 'Consultations')
  expect(calls).toContain('/api/user/me')
  expect(calls).not.toContain('/api/pet')
  await page.goto(`${at.url}/myaccount/profile`)
  await isThere(page, 'Where you are signed in')
  expect(calls).not.toContain('/api/subscription/userPayment/')
})

it('a pet is added with a picture, appears without a reload and can be changed [PET-1] [PET-2] [PET-3] [PET-7]', async () => {
  const page = await accountOf('owner')
  await pets(page).getByRole('button', { name: 'Add pet' }).click()
  await page.route('**/api/upload', (route) => route.abort(), { times: 1 })
  await choosePhoto(dialog(page).locator('input[type=file]'), 'mouse.jpg')
  await inDialog(page, 'Use this picture').click()
  await dialog(page).getByText('The picture wasn’t sent. It’s still here.').waitFor()
  await inDialog(page, 'Send again').click()
  await inDialog(page, 'Send again').waitFor({ state: 'detached' })
  await choose(page, 'Dog')
  await dialog(page).getByLabel('Name').fill('Waffle')
  await dialog(page).getByRole('combobox', { name: 'Breed' }).fill('labrador')
  await page.getByRole('option', { name: 'Labrador Retriever' }).click()
  await inDialog(page, 'Enter an approximate age instead').click()
  await dialog(page).getByLabel('Years').fill('2')
  await dialog(page).getByRole('checkbox').check()
  await accessible(page)
  await page.reload()
  await page.waitForLoadState('networkidle')
  await pets(page).getByRole('button', { name: 'Add pet' }).click()
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Waffle')
  await choosePhoto(dialog(page).locator('input[type=file]'), 'waffle.jpg')
  await inDialog(page, 'Use this picture').click()
  await inDialog(page, 'Add Waffle').click()
  await page
    .getByText(
      'Your pet has been added, it will take a moment to be processed and display on your My Account for you.',
    )
    .waitFor()
  const row = pets(page).getByRole('listitem').filter({ hasText: 'Waffle' })
  await row.getByText('Labrador Retriever, about 2 years').waitFor()
  await row.getByText(/^PawCare begins /).waitFor()
  expect(await row.locator('img').getAttribute('src')).toMatch(/^\/media\/pets\/.+-160\.webp$/)

  await page.getByRole('button', { name: 'Edit Waffle' }).click()
  for (const [label, value] of [
    ['Species', 'Dog'],
    ['Breed', 'Labrador Retriever'],
  ] as const) {
    expect(await dialog(page).getByLabel(label, { exact: true }).inputValue()).toBe(value)
    expect(await dialog(page).getByLabel(label, { exact: true }).isEditable()).toBe(false)
  }
  await accessible(page)
  await dialog(page).getByLabel('Name').fill('Waffles')
  await dialog(page).getByLabel('Opt Waffle out of PawCare').check()
  await inDialog(page, 'Save changes').click()
  await page.getByText('Pet information updated.').waitFor()
  await pets(page).getByText('Waffles').waitFor()
  await pets(page).getByText('Opted out of PawCare').waitFor()
})

it('a consult starts from the account and is listed there [ACC-6] [ACC-7] [ACC-8] [ACC-10]', async () => {
  const page = await accountOf('owner')
  await page.getByRole('button', { name: 'Text Now' }).click()
  await choose(page, 'Biscuit')
  await dialog(page).getByText('Swollen belly, dry retching').waitFor()
  await accessible(page)
  await inDialog(page, 'None of these').click()
  await dialog(page).getByLabel('What’s wrong?').fill('He ate a whole lemon.')
  await accessible(page)
  await page.reload()
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Text Now' }).click()
  expect(await dialog(page).getByLabel('What’s wrong?').inputValue()).toBe('He ate a whole lemon.')
  await dialog(page).getByRole('checkbox').check()
  await inDialog(page, 'Start text consult').click()
  await page.waitForURL(/\/text-chat\/\d+$/)
  const room = new URL(page.url()).pathname
  await page.goto(`${at.url}/myaccount`)
  const resume = page.getByRole('link', { name: 'Open the chat' })
  await resume.waitFor()
  expect(await resume.getAttribute('href')).toBe(room)
  await page.waitForLoadState('networkidle')
  await accessible(page)
})

it("an owner whose pets a partner manages can't add any here [ACC-4]", async () => {
  const page = await accountOf('petstock')
  await pets(page).getByText('Poppy').waitFor()
  expect(await page.getByRole('button', { name: 'Add pet' }).count()).toBe(0)
})
