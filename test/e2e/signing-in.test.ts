import type { BrowserContextOptions, Page } from 'playwright'
import { expect, it } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import { DEMO_PASSWORD, emailOf, remembered, tokenOf } from './people.ts'
import { DESK, PHONE, stage } from './stage.ts'

const at = stage({
  // These journeys cause refused calls. The browser logs them.
  expected: /status of (4\d\d)|ERR_INTERNET_DISCONNECTED/,
  product: 'shared',
})

async function visit(address: string, options: BrowserContextOptions = PHONE) {
  const page = await at.page(options)
  await page.goto(at.url + address)
  await page.waitForLoadState('networkidle')
  return page
}

async function visitAsOwner(address: string) {
  const token = await tokenOf('owner')
  return { token, page: await visit(address, { ...PHONE, storageState: remembered(at.url, token) }) }
}

const path = (page: Page) => page.url().slice(at.url.length)
/** The router's scroll positions, which name neither a person nor an address. */
const SCROLLED = 'react-router-scroll-positions'
const keys = (page: Page, store = 'localStorage') =>
  page.evaluate(`Object.keys(${store}).filter((key) => key !== '${SCROLLED}').toSorted()`) as Promise<
    string[]
  >
const email = (page: Page) => page.getByLabel('Email')
const password = (page: Page, label = 'Password') => page.getByLabel(label, { exact: true })
const press = (page: Page, name: string) =>
  page.locator('main').getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')

async function signIn(page: Page, who: string, word = DEMO_PASSWORD) {
  await email(page).fill(emailOf(who))
  await password(page).fill(word)
  await press(page, 'Login')
}

/** The product's current answer about a token. */
const statusOf = async (token: string) =>
  (await fetch(`${at.url}/api/user/me`, { headers: { authorization: `Bearer ${token}` } })).status

it('signing in asks for both fields and a valid email, shows its progress, stores the token and opens the account after a second [LOG-1, LOG-3, SHL-10]', async () => {
  const page = await visit('/login')
  expect(await email(page).getAttribute('type')).toBe('email')
  expect(await page.getByRole('link', { name: 'Forgot your password?' }).getAttribute('href')).toBe(
    '/forgotpassword',
  )
  expect(await page.getByLabel('Remember me').isChecked()).toBe(false)
  await press(page, 'Login')
  await page.getByText(ERRORS.EMAIL_MISSING.message).first().waitFor()
  await page.getByText(ERRORS.PASSWORD_MISSING.message).first().waitFor()
  await email(page).fill('someone@')
  await press(page, 'Login')
  await page.getByText(ERRORS.INVALID_EMAIL.message).first().waitFor()
  await signIn(page, 'owner')
  await page.getByRole('button', { name: /Signing in|Signed in/ }).waitFor()
  await page.waitForURL('**/myaccount')
  await page.getByRole('heading', { name: 'Hello, Thandi' }).waitFor()
  const kept = await keys(page)
  expect(kept.filter((key) => !['pets', 'user'].includes(key))).toEqual(['token', 'vetchat'])
  expect(await keys(page, 'sessionStorage')).toEqual(['whose'])
})

it('signing in says in a dialog with Ok that the details are wrong, or that there is no network, and keeps the form [LOG-3, LOG-4, SHL-12]', async () => {
  const page = await visit('/login')
  await signIn(page, 'owner', 'Wrong0ne')
  await dialog(page).getByText(ERRORS.SIGN_IN_FAILED.message).waitFor()
  await dialog(page).getByRole('button', { name: 'Ok' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  expect([path(page), await email(page).inputValue()]).toEqual(['/login', emailOf('owner')])
  expect(await keys(page)).not.toContain('token')
  await page.context().setOffline(true)
  await signIn(page, 'owner')
  await dialog(page).getByText('An Error Occurred', { exact: true }).waitFor()
  await dialog(page).getByText('You’re offline. Try again when you’re back online.').waitFor()
  await dialog(page).getByRole('button', { name: 'Ok' }).click()
  expect(await email(page).inputValue()).toBe(emailOf('owner'))
  expect(await password(page).inputValue()).toBe(DEMO_PASSWORD)
  await page.context().setOffline(false)
  await press(page, 'Login')
  await page.waitForURL('**/myaccount')
})

it('signing in works by keyboard alone [LOG-1, LOG-3]', async () => {
  const page = await visit('/login', DESK)
  const tabTo = async (name: string) => {
    for (let n = 0; n < 30; n++) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(`(() => {
          const one = document.activeElement
          return (one?.labels?.[0]?.textContent ?? one?.textContent ?? '').trim()
        })()`)
      if (String(focused).startsWith(name)) return
    }
    throw new Error(`Tab never reaches ${name}`)
  }
  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'Skip to content' }).waitFor()
  await page.keyboard.press('Enter')
  await tabTo('Email')
  await page.keyboard.type(emailOf('vet'))
  await tabTo('Password')
  await page.keyboard.type('Wrong0ne')
  await page.keyboard.press('Enter')
  await dialog(page).waitFor()
  await page.locator('dialog :focus').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.locator('[type=password]:focus').waitFor()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(DEMO_PASSWORD)
  await tabTo('Remember me')
  await page.keyboard.press('Space')
  await tabTo('Login')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/myaccount')
  expect(await keys(page)).toContain('token')
})

it('signing in returns to the page that the visitor came from [LOG-3, SHL-12]', async () => {
  const page = await visit('/myaccount')
  await page.waitForURL(/\/login\?from=%2Fmyaccount$/)
  await page.getByText('Please login').waitFor()
  await page.goto(`${at.url}/login?from=%2Fsandbox%2Fmail%3Fto%3Da%2540b.example`)
  await page.waitForLoadState('networkidle')
  await signIn(page, 'owner')
  await page.waitForURL('**/sandbox/mail?to=a%40b.example')
  expect(await keys(page)).toContain('token')
})

it.each(['/login', '/login?from=https%3A%2F%2Fevil.example%2F', '/login?from=%2Flogout'])(
  'a signed-in person who opens %s goes to /myaccount [LOG-3, LOG-5]',
  async (address) => {
    const { page, token } = await visitAsOwner(address)
    await page.waitForURL(`${at.url}/myaccount`)
    await page.getByRole('heading', { name: 'Hello, Thandi' }).waitFor()
    expect([path(page), await statusOf(token)]).toEqual(['/myaccount', 200])
  },
)

async function signedIn(remember: boolean) {
  const page = await visit('/login')
  if (remember) await page.getByLabel('Remember me').check()
  await signIn(page, 'owner')
  await page.waitForURL('**/myaccount')
  await page.getByRole('heading', { name: 'Hello, Thandi' }).waitFor()
  return page
}

/** The same browser, closed and reopened: storage and lasting cookies remain, session cookies don't. */
async function startedAgain(page: Page) {
  const { origins } = await page.context().storageState()
  await page.context().close()
  return visit('/myaccount', { ...PHONE, storageState: { cookies: [], origins } })
}

it('Remember me keeps the session after the browser is closed [LOG-2]', async () => {
  const page = await startedAgain(await signedIn(true))
  await page.getByRole('heading', { name: 'Hello, Thandi' }).waitFor()
  expect([path(page), await keys(page)]).toEqual(['/myaccount', ['pets', 'token', 'user', 'vetchat']])
})

it('Remember me, if not ticked, ends the session with the browser [LOG-2]', async () => {
  const page = await startedAgain(await signedIn(false))
  await page.waitForURL('**/login?from=%2Fmyaccount')
  expect(await keys(page)).not.toContain('token')
})

it('Remember me, if not ticked, keeps a new tab signed in while another is open [LOG-2]', async () => {
  const page = await signedIn(false)
  await page.context().clearCookies()
  const tab = await page.context().newPage()
  await tab.goto(`${at.url}/myaccount`)
  await tab.getByRole('heading', { name: 'Hello, Thandi' }).waitFor()
  expect([path(tab), await keys(tab)]).toEqual(['/myaccount', ['pets', 'token', 'user', 'vetchat']])
})

it('a token that the server refuses leads to Please login, and signing in leads back [SHL-12, LOG-13]', async () => {
  const { page, token } = await visitAsOwner('/')
  await fetch(`${at.url}/api/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  await page.goto(`${at.url}/myaccount?promo=intro-20`)
  await page.waitForURL(/\/login\?from=%2Fmyaccount/)
  await page.getByText('Please login').waitFor()
  expect(await keys(page)).toEqual(['promo', 'vetchat'])
  await signIn(page, 'owner')
  // It stays until the page changes, so nothing jumps under the thumb.
  await page.getByText('Signed in…').waitFor()
  expect(await page.getByText('Please login').isVisible()).toBe(true)
  await page.waitForURL('**/myaccount**')
})

it('a session that is over leads a guest from My account to /login, and signing in keeps their consult [SHL-12, SAF-1]', async () => {
  const page = await visit('/about')
  const inAnHour = Math.floor(Date.now() / 1000) + 3600
  const guests = `h.${btoa(JSON.stringify({ exp: inAnHour }))}.s`
  await page.evaluate(`localStorage.singleToken = '${guests}'`)
  await page.goto(`${at.url}/myaccount`)
  await page.waitForURL('**/login?from=%2Fmyaccount')
  await page.getByText('Please login').waitFor()
  await signIn(page, 'owner')
  await page.waitForURL('**/myaccount')
  await page.getByRole('heading', { name: 'Hello, Thandi' }).waitFor()
  expect(await keys(page)).toEqual(expect.arrayContaining(['singleToken', 'token', 'vetchat']))
})

it.each(['/logout', '/signoff'])(
  '%s ends the session here and on the server, and goes to /login [LOG-10, SHL-10]',
  async (address) => {
    const { page, token } = await visitAsOwner('/')
    await page.evaluate(
      `for (const key of ['singleToken', 'user', 'pets', 'userPayment', 'promo']) localStorage[key] = 'x'`,
    )
    expect(await statusOf(token)).toBe(200)
    await page.goto(at.url + address)
    await page.waitForURL('**/login')
    await page.waitForLoadState('networkidle')
    expect(await keys(page)).toEqual(['promo', 'vetchat'])
    expect(await statusOf(token)).toBe(401)
  },
)

it('signing out in one tab is seen in the others [LOG-10]', async () => {
  const { page, token } = await visitAsOwner('/myaccount')
  const other = await page.context().newPage()
  await other.goto(`${at.url}/logout`)
  await other.waitForURL('**/login')
  await page.waitForURL('**/login**')
  expect(await keys(page)).not.toContain('token')
  expect(await statusOf(token)).toBe(401)
})

async function mailedLink(page: Page, to: string) {
  await page.goto(`${at.url}/sandbox/mail?to=${encodeURIComponent(to)}`)
  await page.getByRole('button', { name: 'Your VetChat reset code' }).first().waitFor()
  await page.getByText('As plain text').click()
  const text = await page.locator('pre').innerText()
  return /^(http\S+\/resetpwd\/[A-Z0-9]{20})$/m.exec(text)![1]!
}

it('a mailed code sets a new one, from the first page to signing in with it [LOG-6, LOG-7, LOG-8, LOG-11]', async () => {
  const before = await tokenOf('new')
  const page = await visit('/login')
  await email(page).fill(emailOf('new'))
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.waitForURL('**/forgotpassword')
  await expect.poll(() => email(page).inputValue()).toBe(emailOf('new'))
  await press(page, 'Submit')
  await dialog(page).getByText('emailed it a reset code').waitFor()
  await dialog(page).getByRole('link', { name: 'Reset Password' }).click()
  await page.waitForURL('**/resetpwd')

  const link = await mailedLink(page, emailOf('new'))
  await page.goto(link)
  await page.waitForURL('**/resetpwd')
  const code = link.split('/').at(-1)!
  expect(await page.getByLabel('Reset code').inputValue()).toBe(code)
  await page.goBack()
  expect(page.url()).toContain('/sandbox/mail')
  await page.goForward()
  expect(path(page)).toBe('/resetpwd')
  expect(await keys(page, 'sessionStorage')).toEqual(['draft:login'])

  await page.getByLabel('Reset code').fill(` ${code.slice(0, 5).toLowerCase()}-${code.slice(5)} `)
  await password(page, 'New password').fill('weakweak')
  await press(page, 'Set new password')
  await page.getByText(ERRORS.WEAK_PASSWORD.message).first().waitFor()
  await password(page, 'New password').fill('Brandnew1')
  await press(page, 'Set new password')
  await dialog(page).getByRole('link', { name: 'Login' }).click()
  await page.waitForURL('**/login')
  expect(await statusOf(before)).toBe(401)
  await page.waitForLoadState('networkidle')
  expect(await email(page).inputValue()).toBe(emailOf('new'))
  await signIn(page, 'new')
  await dialog(page).getByText(ERRORS.SIGN_IN_FAILED.message).waitFor()
  await dialog(page).getByRole('button', { name: 'Ok' }).click()
  await signIn(page, 'new', 'Brandnew1')
  await page.waitForURL('**/myaccount')
  await page.goto(`${at.url}/sandbox/mail?to=${encodeURIComponent(emailOf('new'))}`)
  await page.getByRole('button', { name: 'Your VetChat password was changed' }).waitFor()
})

it('an unknown email gets the same answer, and a malformed one is not sent [LOG-6]', async () => {
  const page = await visit('/forgotpassword')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/user/resetpwdcode')) sent.push(request.postDataJSON())
  })
  await email(page).fill('nobody@')
  await press(page, 'Submit')
  await page.getByText(ERRORS.INVALID_EMAIL.message).first().waitFor()
  await email(page).fill('nobody@example.com')
  await press(page, 'Submit')
  await dialog(page).getByText('emailed it a reset code').waitFor()
  expect(sent).toEqual([{ email: 'nobody@example.com' }])
})

it('a refusal appears in a dialog, and the form stays [LOG-7, LOG-9]', async () => {
  const page = await visit('/resetpwd/WRONGWRONGWRONGWRONG')
  await page.waitForURL('**/resetpwd')
  await password(page, 'New password').fill('Brandnew1')
  await press(page, 'Set new password')
  await dialog(page).getByText(ERRORS.RESET_CODE_WRONG.message).waitFor()
  await dialog(page).getByRole('button', { name: 'Ok' }).click()
  expect(await page.getByLabel('Reset code').inputValue()).toBe('WRONGWRONGWRONGWRONG')
})

it('a used or wrong claim link is refused in a dialog, and its code leaves the address straight away [LOG-14]', async () => {
  const page = await visit('/claim/wrongwrongwrongwrongwrongwrong12')
  await page.waitForURL((address) => !address.pathname.includes('wrong'))
  await password(page).fill('Brandnew1')
  await press(page, 'Set my password')
  await dialog(page).getByText(ERRORS.CLAIM_LINK_WRONG.message).waitFor()
  expect([path(page), await keys(page)]).toEqual(['/claim', []])
})
