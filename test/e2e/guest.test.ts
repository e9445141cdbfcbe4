import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { DAY } from '#contract/time.ts'
import { hold } from './forms.ts'
import { DEMO_PASSWORD, emailOf, remembered, tokenOf } from './people.ts'
import { boughtConsult } from '#test/video-call.ts'
import { accessible, PHONE, stage } from './stage.ts'

/** Leaves accounts and consultations behind. */
const at = stage({ expected: /status of (401|403|404)/ })

/** Buys a consult about a rabbit, and a vet ends it with a plan. */
async function advised(email: string) {
  const vet = await tokenOf('vet', at.url)
  await at.call('/duty', { on: true }, vet)
  const { id, token } = await boughtConsult(at.url, email, 1)
  await at.call(`/consultation/${id}/take`, {}, vet)
  const note = { version: 0, history: '', findings: '', assessment: '', outcome: 'home' }
  const plan = { summary: 'Most likely his teeth.', plan: 'Hay.', watch_for: '', go_if: '' }
  const { version } = await at.call<{ version: number }>(
    `/consultation/${id}/note`,
    { ...note, ...plan },
    vet,
  )
  await at.call(`/consultation/${id}/end`, { version }, vet)
  return { id, token }
}

/** The link in the latest mail with this subject, opened in the mail as its reader sees it. */
async function linkIn(page: Page, to: string, subject: string | RegExp) {
  await page.goto(`${at.url}/sandbox/mail?to=${encodeURIComponent(to)}`)
  await page.getByRole('button', { name: subject }).first().click()
  await page.getByText('As plain text').click()
  return /^(http\S+\/claim\/\S+)$/m.exec(await page.locator('pre').innerText())![1]!
}

const password = (page: Page) => page.getByLabel('Password', { exact: true })

it('a guest asks for the link in the ended room, sets a password and finds everything in the account [LOG-14]', async () => {
  const email = 'thandi@example.com'
  const { id, token } = await advised(email)
  const origins = [{ origin: at.url, localStorage: [{ name: 'singleToken', value: token }] }]
  const device = await at.device({ ...PHONE, storageState: { cookies: [], origins } })
  const room = await at.page(device)
  await room.goto(`${at.url}/text-chat/${id}`)
  await room.getByRole('button', { name: 'Email me the link' }).click()
  await room.getByText(`We’ve emailed ${email} a link`).waitFor()
  await accessible(room)

  const page = await at.page(device)
  await page.goto(await linkIn(page, email, 'Your VetChat account'))
  await page.waitForURL('**/claim')
  await password(page).fill('Brandnew1')
  await accessible(page)
  await page.getByRole('button', { name: 'Set my password' }).click()
  await page.waitForURL('**/myaccount')
  await page.getByRole('heading', { name: 'Welcome, Thandi' }).waitFor()
  await page.getByRole('region', { name: 'My Pets' }).getByText('Pixel').waitFor()
  await page.getByText('Most likely his teeth.').first().waitFor()
  await page.goto(`${at.url}/myaccount/profile`)
  await page.getByText('R450').first().waitFor()

  // The room in the other tab belongs to the account now.
  await room.goto(`${at.url}/text-chat/${id}`)
  await room.getByText('It’s all saved for you').waitFor()
  expect(await room.evaluate('typeof localStorage.token')).toBe('string')
})

it('the link in a forwarded plan adds it to an account in use, and opens nothing [LOG-14, D30]', async () => {
  const email = emailOf('lapsed')
  const { id } = await advised(email)
  const stranger = await at.page()
  await stranger.goto(await linkIn(stranger, email, /advice for Pixel/))
  await stranger.waitForURL('**/claim')
  await password(stranger).fill('Stranger1')
  await stranger.getByRole('button', { name: 'Set my password' }).click()
  await stranger.getByRole('dialog').getByText('You already have an account').waitFor()
  await accessible(stranger)
  expect(await stranger.evaluate('localStorage.token')).toBeUndefined()
  await stranger.getByRole('dialog').getByRole('link', { name: 'Login' }).click()
  await stranger.waitForURL('**/login')
  const body = { email, password: DEMO_PASSWORD }
  const { token } = await at.call<{ token: string }>('/login', body)
  await at.call(`/consultation/${id}`, undefined, token)
})

it('a signed-in page shows name, pets and card before its calls answer, stores no more, and forgets it on signing out [SHL-10]', async () => {
  const page = await at.page(await at.deviceOf('owner'))
  await page.goto(`${at.url}/myaccount`)
  await page.getByRole('heading', { name: /^Hello, / }).waitFor()
  await page.getByRole('region', { name: 'My Pets' }).getByRole('listitem').first().waitFor()
  await page.goto(`${at.url}/myaccount/profile`)
  await page.getByText(/ending in \d{4}/).waitFor()
  const kept = await page.evaluate<Record<string, string>>('({ ...localStorage })')
  expect(Object.keys(kept).toSorted()).toEqual(['pets', 'token', 'user', 'userPayment', 'vetchat'])
  expect(Object.keys(JSON.parse(kept['user']!) as object)).toEqual(['type', 'firstName', 'id'])
  expect(Object.keys((JSON.parse(kept['pets']!) as object[])[0]!)).toEqual(['name', 'species_id'])
  expect(Object.keys(JSON.parse(kept['userPayment']!) as object)).toEqual(['brand', 'last4'])

  // The next page, while no call answers.
  const names = (JSON.parse(kept['pets']!) as { name: string }[]).map(({ name }) => name)
  const open = await hold(page, /\/api\/(pet|user\/me|subscription|consultation)/)
  await page.goto(`${at.url}/myaccount`)
  await page.getByRole('heading', { name: /^Hello, / }).waitFor()
  await page.getByText(names[0]!, { exact: true }).waitFor()
  await accessible(page)
  await page.goto(`${at.url}/myaccount/profile`)
  await page.getByText(/ending in \d{4}/).waitFor()
  open()
  await page.unrouteAll({ behavior: 'wait' })
  await page.goto(`${at.url}/logout`)
  await page.waitForURL('**/login')
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual(['vetchat'])
})

it("a promo in the address of a members' page is still there after /login [SHL-12]", async () => {
  for (const path of ['/myaccount', '/myaccount/profile', '/upgrade', '/addpet', '/text-chat/1']) {
    const page = await at.page()
    await page.goto(`${at.url}${path}?promo=intro-30`)
    await page.waitForURL('**/login**')
    expect(await page.evaluate('localStorage.promo'), path).toBe('intro-30')
    expect(new URL(page.url()).searchParams.get('from')).toContain(path)
  }
})

it('a note that a vet typed and could not save ends with the session, in every tab [SHL-10]', async () => {
  const vet = await tokenOf('vet', at.url)
  const device = await at.device({ ...PHONE, storageState: remembered(at.url, vet) })
  const [one, two] = [await at.page(device), await at.page(device)]
  for (const page of [one, two]) {
    await page.goto(`${at.url}/myaccount`)
    await page.evaluate(`sessionStorage.setItem('note:1', '{}')`)
  }
  await at.call('/logout', {}, vet)
  await one.waitForURL('**/login**')
  await two.waitForURL('**/login**')
  for (const page of [one, two])
    await expect.poll(() => page.evaluate(`sessionStorage.getItem('note:1')`)).toBe(null)
})

it.each([
  ['ahead', 2],
  ['behind', -2],
])(
  'a device whose clock is two days %s stays signed in, even after it is put right [LOG-13]',
  async (_which, days) => {
    const device = await at.deviceOf('owner')
    await device.addInitScript(`{
    const real = Date.now.bind(Date)
    Date.now = () => real() + Number(window.name || 0)
  }`)
    const page = await at.page(device)
    const opened = async () => {
      await page.goto(`${at.url}/myaccount`)
      await page.getByRole('region', { name: 'My Pets' }).getByRole('listitem').first().waitFor()
    }
    const set = (ms: number) => page.evaluate(`window.name = '${ms}'`)
    await page.goto(`${at.url}/health`)
    await set(days * DAY)
    await opened()
    // While the page is open, and before the next one.
    await set(0)
    await page.getByRole('button', { name: 'Add pet' }).click()
    await page.getByRole('dialog').waitFor()
    await opened()
    await set(days * DAY)
    await opened()
    expect(await page.evaluate('typeof localStorage.token')).toBe('string')
  },
)
