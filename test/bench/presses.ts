import type { Page } from 'playwright'
import { openBrowser } from '#test/browser.ts'
import { remembered, tokenOf } from '#test/e2e/people.ts'
import { startProduct } from '#test/e2e/product.ts'
import { boughtConsult, DESK } from '#test/video-call.ts'
import { percentile, postAs } from '../drills/load.ts'
import { atMost, type Row } from './row.ts'

const SLOWER = 6
const CASES = 8

/** From the next press to the first frame after `part`, an expression, has another value. */
const watching = (part: string) => `window.pressed = new Promise((resolve) => {
  const part = () => ${part}
  const before = part()
  let from
  const listening = new AbortController()
  const look = () => {
    if (from === undefined || part() === before) return
    changes.disconnect()
    listening.abort()
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)))
  }
  const changes = new MutationObserver(look)
  const options = { capture: true, signal: listening.signal }
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, (event) => (from ??= event.timeStamp), options)
  addEventListener('input', look, options)
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
}), 0`

async function press(page: Page, part: string, act: () => Promise<void>): Promise<number> {
  // On a slow page a press would overtake this script, so the script has to be there first.
  await page.evaluate(watching(part))
  await act()
  return page.evaluate<number>('pressed')
}

const row = (what: string, took: number[]) =>
  atMost(200, {
    job: `a vet ${what}: press to change, ${SLOWER} times slower, p75`,
    unit: 'ms',
    figure: percentile(took, 0.75),
  })

/** How long a vet's presses in the console take to show anything, on a slow processor. */
export default async function presses(): Promise<Row[]> {
  await using product = await startProduct()
  await using browser = await openBrowser()
  const vet = await tokenOf('vet', product.url)
  await postAs(product.url, vet, '/duty', { on: true })
  const ids: number[] = []
  for (let at = 0; at < CASES; at++)
    ids.push((await boughtConsult(product.url, `presses${at}@example.com`, 1)).id)
  const context = await browser.newContext({ ...DESK, storageState: remembered(product.url, vet) })
  const page = await context.newPage()
  await page.goto(`${product.url}/text-chat/${ids.at(-1)}`)
  const box = page.locator('#talk textarea')
  const take = page.locator('#talk').getByRole('button', { name: /^Take/ })
  await take.waitFor()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })

  const [opened, took, typed, sent]: number[][] = [[], [], [], []]
  for (const id of ids) {
    const open = () => page.locator(`#queue a[href*="-chat/${id}"]`).click()
    opened!.push(await press(page, `document.querySelector('#queue [aria-current=true]')?.href`, open))
    await take.waitFor()
    took!.push(await press(page, `document.querySelector('#talk').innerText`, () => take.click()))
    await box.waitFor()
    await box.focus()
    for (const letter of 'Hello')
      typed!.push(
        await press(page, `document.querySelector('#talk textarea').value`, () =>
          page.keyboard.press(letter),
        ),
      )
    const send = () => page.keyboard.press('Enter')
    sent!.push(await press(page, `document.querySelector('#talk [role=log]').innerText`, send))
  }
  return [
    row('opens a case', opened!),
    row('takes it', took!),
    row('types a letter', typed!),
    row('sends a message', sent!),
  ]
}
