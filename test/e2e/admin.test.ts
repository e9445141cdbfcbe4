import { expect, it } from 'vitest'
import { sentenceOf } from '#contract/errors.ts'
import { signIn } from './forms.ts'
import { emailOf } from './people.ts'
import { accessible, DESK, PHONE, stage } from './stage.ts'

/**
 * A product of its own, because coupons are left behind. The browser logs a refused coupon, a missing page, and the
 * request for pets on a first visit, before the page knows that an admin has none.
 */
const at = stage({ expected: /status of (400|403|404)/ })

const signedIn = async (who: string, options = DESK) => at.page(await at.deviceOf(who, options))

it('an admin opens the Admin Manager and creates a coupon, and a buyer uses it [VET-4] [ADM-4]', async () => {
  const page = await at.page(DESK)
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto(`${at.url}/login`)
  await signIn(page, emailOf('admin'))
  await page.waitForURL('**/myaccount')
  const link = page.getByRole('navigation', { name: 'Staff' }).getByRole('link', { name: 'Admin Manager' })
  await link.waitFor()
  expect(calls.filter((path) => path.includes('subscription'))).toEqual([])
  await link.click()
  await page.waitForURL('**/admin')
  await page.getByRole('link', { name: 'Coupons' }).click()
  await page.getByText('FREECONSULT').waitFor()
  await accessible(page)

  await page.getByRole('button', { name: 'New coupon' }).click()
  await page.getByRole('dialog').waitFor()
  await accessible(page)
  await page.getByLabel('Code', { exact: true }).fill('WINTER')
  await page.getByRole('dialog').getByLabel('Referrer').fill('Winter letter')
  await page.getByRole('radio', { name: 'Amount off' }).check({ force: true })
  await page.getByLabel('Amount off', { exact: true }).last().fill('49.50')
  // The regions have different currencies, so the server refuses the amount beside its field.
  await page.getByRole('button', { name: 'Create coupon' }).click()
  await page.getByText(/needs a region/).waitFor()
  await page.getByLabel('Region').selectOption('South Africa')
  await page.getByRole('button', { name: 'Create coupon' }).click()
  await page.getByText('WINTER is ready to use.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'WINTER' })
  expect(await row.innerText()).toContain('R49.50 off')

  const look = () => at.call('/pay/coupon', { couponCode: 'winter', product: 'consult' })
  expect(await look()).toMatchObject({ coupon: { code: 'WINTER', amount_off: 49_50 } })
  await row.getByRole('button', { name: 'Remove WINTER' }).click()
  await page.getByRole('button', { name: 'Remove coupon' }).click()
  await page.getByText('WINTER has been removed.').waitFor()
  await expect(look()).rejects.toThrow('Invalid coupon')

  // From now on every page's header shows the link, even without React, until somebody else signs in.
  await page.goto(`${at.url}/myaccount/profile`)
  await page.getByRole('banner').getByRole('link', { name: 'Admin Manager' }).waitFor()
  await page.goto(at.url)
  await page.getByRole('banner').getByText('My account').first().click()
  await page.getByRole('banner').getByRole('link', { name: 'Admin Manager' }).waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Queue' }).waitFor()
})

it('no email in an admin’s lists breaks in the middle, on a small laptop or beside another window [SHL-15]', async () => {
  const page = await signedIn('admin')
  for (const [view, widths] of [
    ['money', [910, 1024]],
    ['claims', [1024]],
    ['vets', [1280]],
    ['members#q=demo', [1024, 1280, 1440]],
  ] as const) {
    await page.goto(`${at.url}/admin/${view}`)
    await page.getByText('@demo.vetchat.example').first().waitFor()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const broken = await page.evaluate(`
        [...document.querySelectorAll('td, td span')]
          .filter((one) => !one.firstElementChild && one.textContent.includes('@'))
          .filter((one) => {
            const range = document.createRange()
            range.selectNodeContents(one)
            return range.getClientRects().length > 1
          })
          .map((one) => one.textContent)`)
      expect({ width, view, broken }).toEqual({ width, view, broken: [] })
    }
  }
})

it('an admin edits an answer, sees the preview and publishes; visitors read it, and another admin who edits it is told [ADM-2]', async () => {
  const [page, other] = [await signedIn('admin'), await signedIn('admin')]
  await page.setViewportSize({ width: 1024, height: 800 })
  await page.goto(`${at.url}/admin/pages?kind=question&q=who+are+the+vets`)
  await page.getByRole('link', { name: 'Edit: Who are the vets?' }).click()
  await page.getByRole('heading', { name: 'Who are the vets?', level: 1 }).waitFor()
  await accessible(page)
  await other.goto(page.url())
  await other.getByText('Nothing has changed').waitFor()
  await page.getByLabel('Answer').fill('Every vet is registered with {regulator}. Ask them.')
  await page.getByText(/^Draft saved/).waitFor()
  await page.frameLocator('iframe').getByText('South African Veterinary Council. Ask them.').waitFor()
  const faq = async () => (await fetch(`${at.url}/faq`)).text()
  // Only the frame moves to the question. The page stays where the admin is writing.
  expect(await page.evaluate('scrollY')).toBe(0)
  expect(await faq()).not.toContain('Ask them.')
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await page.getByText('It’s on the public pages.').waitFor()
  await expect.poll(faq).toContain('South African Veterinary Council. Ask them.')
  await other.getByText(/published this at/).waitFor()
  await other.getByText('First choose which text to keep').waitFor()
})

it('a new item leads to what is missing, asks before it is discarded, and can be published again once it was taken down [ADM-2]', async () => {
  const page = await signedIn('admin')
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const nameFocused = () =>
    page.getByLabel('Who said it', { exact: true }).and(page.locator(':focus')).waitFor()
  const add = async () => {
    await page.goto(`${at.url}/admin/pages`)
    await button('Add').click()
    await page.getByRole('menuitem', { name: 'Testimonial' }).click()
    await nameFocused()
  }
  await add()
  await page.getByText('Nothing published yet').waitFor()
  // The form asks only for what its readers' pages show: a carer's picture, a clinic's stars.
  const has = (label: string) => page.getByLabel(label, { exact: true }).isVisible()
  expect([await has('Picture'), await has('Stars')]).toEqual([true, false])
  await page.getByLabel('Shown to').selectOption('Clinics')
  expect([await has('Picture'), await has('Stars')]).toEqual([false, true])
  await button('Publish version 1').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Fill this in first.').first().waitFor()
  await nameFocused()
  await page.getByLabel('Who said it', { exact: true }).fill('Nomsa')
  await page.getByText(/^Draft saved/).waitFor()
  const sure = page.getByRole('dialog', { name: 'Discard your draft?' })
  await button('Discard draft').click()
  await page.keyboard.press('Escape')
  expect(await page.getByLabel('Who said it', { exact: true }).inputValue()).toBe('Nomsa')
  await button('Discard draft').click()
  await sure.getByRole('button', { name: 'Discard draft' }).click()
  await page.getByText('Your draft is gone.').waitFor()
  await page.waitForURL(`${at.url}/admin/pages`)

  await page.goto(`${at.url}/admin/pages?kind=emergency_clinic`)
  await page
    .getByRole('link', { name: /^Edit: / })
    .first()
    .click()
  await button('Take it down').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take it down' }).click()
  await page.getByText('It’s off the pages. Its versions stay.').waitFor()
  await page.getByText(/^Draft saved/).waitFor()
  expect(await page.getByText('after you opened it').count()).toBe(0)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('(example)')
  await button(/^Publish version/).click()
  await page.getByText('It’s on the public pages.').waitFor()
})

it('every list of the Admin Manager has room for its first words beside the menu [ADM-1]', async () => {
  const page = await signedIn('admin')
  for (const view of ['members#q=demo', 'coupons', 'feed', 'jobs', 'phoneConsultations']) {
    await page.goto(`${at.url}/admin/${view}`)
    await page.getByRole('columnheader').first().waitFor()
    for (const width of [1024, 1110, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const widths = await page
        .locator('main th')
        .evaluateAll((heads) => heads.map((head) => head.clientWidth).filter((width) => width > 0))
      expect(Math.min(...widths), `${view} at ${width}`).toBeGreaterThan(79)
    }
  }
})

it('a chosen version of the urgency rules shows its replay beside it, on a small laptop too [ADM-1]', async () => {
  const page = await signedIn('admin')
  await page.setViewportSize({ width: 1024, height: 800 })
  await page.goto(`${at.url}/admin/urgency`)
  const list = await page.getByRole('navigation', { name: 'Versions' }).boundingBox()
  const chosen = await page.getByRole('heading', { name: /^Version/ }).boundingBox()
  expect(chosen!.x).toBeGreaterThan(list!.x + list!.width)
})

it('an admin makes a person a vet, who then works from the queue [ADM-3]', async () => {
  const page = await signedIn('admin')
  await page.goto(`${at.url}/admin/vets`)
  await page.getByLabel('Person’s email').fill(emailOf('new'))
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByRole('button', { name: /^Make .+ a vet$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Registration number').fill('SAVC D00/0042')
  await accessible(page)
  await dialog.getByRole('button', { name: /^Make .+ a vet$/ }).click()
  await page.getByText(/is a vet now\./).waitFor()
  const vet = await signedIn('new')
  await vet.goto(`${at.url}/myaccount`)
  await vet.getByRole('heading', { name: 'Consultations' }).waitFor()
  const queue = vet.getByRole('navigation', { name: 'Filter' })
  await queue.waitFor()
  expect(await queue.innerText()).toContain('Needs Help')
})

it('an admin finds a charge by email and refunds a part of it, once [ADM-8]', async () => {
  const page = await signedIn('admin')
  await page.goto(`${at.url}/admin/money`)
  await page.getByLabel('Receipt number, name, email or amount').fill(emailOf('owner'))
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL(/q=owner/)
  const charge = page
    .getByRole('row')
    .filter({ hasText: 'Video consult about' })
    .filter({ hasText: 'Charge' })
  await charge.getByRole('button', { name: /^Refund VC-/ }).click()
  const dialog = page.getByRole('dialog')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Refund R300' }).click()
  await dialog.getByText(sentenceOf('REFUND_REASON_MISSING')).first().waitFor()
  await dialog.getByRole('radio', { name: 'A part' }).check({ force: true })
  await dialog.getByLabel('Amount').fill('50')
  await dialog.getByLabel('Reason').fill('Asked by email')
  await dialog.getByRole('button', { name: 'Refund R50' }).dblclick()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => charge.innerText()).toContain('R200 refunded')
})

it('another view opens without waiting for the server [ADM-1]', async () => {
  const page = await signedIn('admin')
  await page.goto(`${at.url}/admin/coupons`)
  await page.getByRole('button', { name: 'New coupon' }).waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByRole('link', { name: 'Vets', exact: true }).click()
  await page.getByRole('heading', { name: 'Vets', level: 1 }).waitFor()
  expect(asked.filter((path) => path.endsWith('.data'))).toEqual([])
})

it('owners and vets are turned away, and an unknown view is not found', async () => {
  const calls: string[] = []
  for (const who of ['owner', 'vet']) {
    const page = await signedIn(who, PHONE)
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.goto(`${at.url}/admin`)
    await page.getByRole('heading', { name: 'Unauthorized access!' }).waitFor()
    await accessible(page)
    expect(await page.getByRole('link', { name: 'Admin Manager' }).count()).toBe(0)
  }
  expect(calls.filter((path) => path.includes('oupon'))).toEqual([])
  const page = await signedIn('admin')
  const answer = await page.goto(`${at.url}/admin/nothing`)
  expect(answer?.status()).toBe(404)
  await page.getByText("This page doesn't exist").waitFor()
})
