import type { Page } from 'playwright'

/* What somebody fills in on the forms for a consult and for a membership: the required fields only. */

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

/** Opens a mailed link and sets a password. */
export async function setPassword(page: Page, link: string) {
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill('Brandnew1')
  await page.getByRole('button', { name: 'Set my password' }).click()
  await page.waitForURL('**/myaccount')
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
