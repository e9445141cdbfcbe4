import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShell } from '#test/browser.ts'
import { startProduct, type Product } from './product.ts'
import { callAt, consultAt, remembered, tokenOf } from './people.ts'
import { accessible, PHONE } from './stage.ts'

let browser: Browser
let product: Product
beforeAll(async () => {
  ;[browser, product] = await Promise.all([openShell(), startProduct()])
})
afterAll(async () => {
  await browser?.close()
  await product?.remove()
})

/** As web/chat/outbox.ts stores it. */
const WRITE = `new Promise((done) => {
  const request = indexedDB.open('vetchat', 1)
  request.onupgradeneeded = () =>
    request.result.createObjectStore('unsent', { keyPath: 'n', autoIncrement: true }).createIndex('consultation', 'consultation')
  request.onsuccess = () => {
    const add = request.result.transaction('unsent', 'readwrite').objectStore('unsent').add({
      client_id: 'one', consultation: 1, body: 'She is worse', at: new Date().toISOString(), failed: false,
    })
    add.onsuccess = () => (request.result.close(), done())
  }
})`

it('offline, a page says what to do in an emergency and what is waiting to be sent, and reloads once the connection is back [SHL-16]', async () => {
  const page = await browser.newPage(PHONE)
  await page.goto(`${product.url}/about`)
  await page.evaluate(`navigator.serviceWorker.ready`)
  await expect.poll(() => page.evaluate(`caches.match('/offline').then(Boolean)`)).toBe(true)
  await product.stop()

  await page.goto(`${product.url}/faq`)
  const heading = page.getByRole('heading', { level: 1 })
  expect(await heading.textContent()).toBe('You are offline')
  await page.getByText('is saved on this device').waitFor()
  await page.getByText('Struggling to breathe').waitFor()
  expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).fontFamily`)).toContain(
    'Figtree',
  )
  await accessible(page)

  await page.evaluate(WRITE)
  await page.reload()
  await page.getByText(/^You have 1 unsent message\. .* and we’ll send it\.$/).waitFor()

  product = await startProduct({ port: product.port, dataDir: product.dataDir })
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor()
  expect(page.url()).toBe(`${product.url}/faq`)
  await page.close()
})

it('someone who has only opened the app gets that page too; during a consult it says what happens to the consult, and returns to it [SHL-16]', async () => {
  const page = await browser.newPage(PHONE)
  await page.goto(`${product.url}/login`)
  await page.evaluate(`navigator.serviceWorker.ready`)
  await expect.poll(() => page.evaluate(`caches.match('/offline').then(Boolean)`)).toBe(true)
  await product.stop()

  await page.goto(`${product.url}/text-chat/1`)
  await page.getByText('Your consult isn’t lost. It opens again where you left it.').waitFor()
  await page.evaluate(WRITE)
  await page.reload()
  await page.getByText('where you left it, and we’ll send your message then.').waitFor()
  await accessible(page)

  product = await startProduct({ port: product.port, dataDir: product.dataDir })
  await page.getByRole('heading', { name: 'You are offline' }).waitFor({ state: 'detached' })
  await page.waitForURL('**/login?**')
  await page.close()
})

it('the app can be installed: name, icons and start page [SHL-16]', async () => {
  const html = await (await fetch(`${product.url}/`)).text()
  const address = /<link rel="manifest" href="([^"]+)"/.exec(html)![1]!
  const manifest = (await (await fetch(product.url + address)).json()) as {
    name: string
    display: string
    start_url: string
    icons: { src: string; sizes: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({ name: 'VetChat', display: 'standalone', start_url: '/' })
  for (const size of ['192x192', '512x512']) expect(manifest.icons.map(({ sizes }) => sizes)).toContain(size)
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
  for (const { src } of manifest.icons) expect((await fetch(product.url + src)).status, src).toBe(200)
})

it('a room that is reloaded offline shows what this device has stored, and what is written is sent once; the end of the session leaves nothing [CON-2] [SHL-10]', async () => {
  const token = await tokenOf('owner', product.url)
  const call = <T>(path: string, body?: object) => callAt<T>(product.url, path, body, token)
  const { id, pet } = await consultAt(product.url, token, 'She ate four grapes')
  const messages = `/consultation/${id}/messages`
  await call(messages, { client_id: 'before-the-tunnel', body: 'They were red ones' })

  const context = await browser.newContext({ ...PHONE, storageState: remembered(product.url, token) })
  const page = await context.newPage()
  await page.goto(`${product.url}/text-chat/${id}`)
  await page.getByText('They were red ones').waitFor()
  await page.evaluate(`navigator.serviceWorker.ready`)
  const isKept = `Promise.all([caches.match('/offline'), caches.match('/room-shell')]).then((all) => all.every(Boolean))`
  await expect.poll(() => page.evaluate(isKept)).toBe(true)
  await product.stop()
  await context.setOffline(true)

  await page.reload()
  await page.getByText('They were red ones').waitFor()
  await page.getByRole('heading', { level: 1, name: pet }).waitFor()
  await accessible(page)
  await page.getByRole('textbox', { name: 'Add something for the vet to read first' }).fill('She is sick now')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Waiting for connection').waitFor()
  await page.reload()
  await page.getByText('She is sick now').waitFor()
  await page.getByText('Waiting for connection').waitFor()

  product = await startProduct({ port: product.port, dataDir: product.dataDir })
  await context.setOffline(false)
  type Said = { messages: { body: string; user_id: number | null }[] }
  const said = async () =>
    (await call<Said>(messages)).messages.flatMap(({ user_id, body }) => (user_id === null ? [] : body))
  await expect.poll(said, { timeout: 30_000 }).toEqual(['They were red ones', 'She is sick now'])
  await page.getByText('Sent', { exact: true }).last().waitFor()
  expect(await said()).toHaveLength(2)

  const databases = `indexedDB.databases().then((all) => all.map(({ name }) => name))`
  expect(await page.evaluate(databases)).toContain('vetchat-kept')
  await page.goto(`${product.url}/logout`)
  await expect.poll(() => page.evaluate(databases)).not.toContain('vetchat-kept')
  await context.close()
})
