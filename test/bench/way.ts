import { connect, createServer } from 'node:net'
import type { Browser } from 'playwright'
import { portOf } from '../port-of.ts'
import { fillConsult, pay, payByCard } from '#test/e2e/forms.ts'
import type { Product } from '#test/e2e/product.ts'
import { callAt, tokenOf } from '#test/e2e/people.ts'
import { atMost, type Row, withoutGoal } from './row.ts'

const REPLY = 'Is he drinking, and are his gums pink?'

/**
 * A proxy that counts what a browser receives. The browser's own figures leave out what its service worker
 * fetches: the documents of every page after the first.
 */
async function countBetween(port: number) {
  const weight = { all: 0 }
  const door = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    far.on('data', (bytes) => void (weight.all += bytes.length / 1000))
    near.pipe(far).pipe(near)
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const)
      end.on('error', () => other.destroy())
  })
  const url = `http://127.0.0.1:${await portOf(door)}`
  return { url, weight, close: () => door.close() }
}

/** Follows a worried owner, with an empty cache: the home page, the emergency check, the form, the room. */
export async function wholeWay(browser: Browser, { url, port }: Product): Promise<Row[]> {
  const token = await tokenOf('vet', url)
  const asVet = (path: string, body: object) => callAt(url, path, body, token)
  await asVet('/duty', { on: true })
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const { weight, ...door } = await countBetween(port)
  const seen: [part: string, all: number][] = []
  const done = async (part: string) => {
    await page.waitForLoadState('networkidle')
    seen.push([part, weight.all])
  }
  await page.goto(`${door.url}/`)
  await done('the home page')
  await page.locator('main').getByRole('link', { name: 'Chat now' }).first().click()
  await page.getByText('Dog', { exact: true }).click()
  await page.getByRole('button', { name: 'None of these' }).click()
  await pay(page).waitFor()
  await done('the emergency check and the form')
  await fillConsult(page, 'bench-buyer@example.com')
  await payByCard(page)
  await page.waitForURL(/\/text-chat\/\d+$/)
  await page.locator('main [role=log][aria-busy=false]').waitFor()
  const id = /\d+$/.exec(page.url())![0]
  await done('paying, and the room')
  await asVet(`/consultation/${id}/take`, {})
  await asVet(`/consultation/${id}/messages`, { client_id: 'bench-way', body: REPLY })
  await page.getByText(REPLY).first().waitFor()
  await done('the first reply')
  await page.close()
  door.close()
  return [
    ...seen.map(([part, all], at) =>
      withoutGoal({
        job: `the way to a vet, ${part}`,
        unit: 'kB',
        figure: all - (seen[at - 1]?.[1] ?? 0),
      }),
    ),
    atMost(250, {
      job: "from / to a paid consult and the vet's first reply, nothing cached",
      unit: 'kB',
      figure: weight.all,
    }),
  ]
}
