import type { Locator, Page } from 'playwright'
import { photo } from '#test/pictures.ts'
import { DEMO_PASSWORD } from './people.ts'

/* What somebody fills in on the forms for a consult and for a membership: the required fields only. */

/** The provider's test card that can be saved and then declines charges. */
export const REFUSED_LATER = { number: '4000000000000341', exp_month: 12, exp_year: 2040, cvc: '123' }
export const GOOD = '4242 4242 4242 4242'
export const CHALLENGED = '4000 0027 6000 3184'

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const agree = (page: Page) => page.getByRole('checkbox', { name: /^I agree/ }).check()
export const pay = (page: Page) => page.getByRole('button', { name: /^Pay / })

/** Until the page can be used. */
export const ready = (page: Page) =>
  page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })

export async function fillBreed(page: Page) {
  await page.getByRole('radio', { name: 'Dog', exact: true }).check()
  await field(page, 'Breed').fill('labrador r')
  await page.getByRole('option', { name: 'Labrador Retriever' }).click()
}
export async function fillPet(page: Page) {
  await fillBreed(page)
  await field(page, 'Pet’s name').fill('Biscuit')
}
export async function fillPerson(page: Page, email: string) {
  await field(page, 'First name').fill('Thandi')
  await field(page, 'Last name').fill('Mokoena')
  await field(page, 'Email').fill(email)
  await field(page, 'Mobile number').fill('082 123 4567')
}
export async function fillConsult(page: Page, email: string) {
  await fillPet(page)
  await field(page, 'Tell the vet what you see').fill('He ate half a slab of dark chocolate.')
  await fillPerson(page, email)
}
export async function fillCard(page: Page, number = GOOD) {
  await field(page, 'Card number').fill(number)
  await field(page, 'Expiry date').fill('0931')
  await field(page, 'Security code').fill('123')
}
export async function payByCard(page: Page, number = GOOD) {
  await fillCard(page, number)
  await agree(page)
  await pay(page).click()
}

/** Chooses a photo in a field for files. */
export const choosePhoto = async (field: Locator, name: string) =>
  field.setInputFiles({ name, mimeType: 'image/jpeg', buffer: await photo() })

/** Signs in on the page of that form. */
export async function signIn(page: Page, email: string) {
  await page.getByLabel('Email').fill(email)
  await field(page, 'Password').fill(DEMO_PASSWORD)
  await page.locator('main').getByRole('button', { name: 'Login', exact: true }).click()
}

/** Opens a mailed link and sets a password. */
export async function setPassword(page: Page, link: string) {
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill('Brandnew1')
  await page.getByRole('button', { name: 'Set my password' }).click()
  await page.waitForURL('**/myaccount')
}

/** Holds up what the page asks for at these addresses, until what this returns is called. */
export async function hold(page: Page, addresses: string | RegExp) {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(addresses, async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** The server receives what the page sends there, and its answer is lost, until what this returns is called. */
export async function loseAnswers(page: Page, address: string) {
  await page.route(address, async (route) => {
    await route.fetch()
    await route.abort()
  })
  return () => page.unroute(address)
}

/** What the page posts to the API from now on, by path. */
export function postsOf(page: Page) {
  const posts: { path: string; key: string | undefined; body: Record<string, unknown> }[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const { 'content-type': type, 'idempotency-key': key } = request.headers()
    if (request.method() !== 'POST' || !pathname.startsWith('/api/')) return
    const body = type === 'application/json' ? (request.postDataJSON() as Record<string, unknown>) : {}
    posts.push({ path: pathname.slice(4), key, body })
  })
  return (path: string) => posts.filter((one) => one.path === path)
}
