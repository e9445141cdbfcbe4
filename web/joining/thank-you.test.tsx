import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Room } from '#contract/consultations.ts'
import { sentenceOf } from '#contract/errors.ts'
import { samplePaid, sampleRoom, sampleToken, sampleUser } from '#test/samples.ts'
import { watchLeaving } from '../test/leaving.ts'
import { sampleSite } from '../test/mount.tsx'
import { ok, refuse, type Turn } from '../test/turns.ts'
import { visit } from '../test/visit.tsx'
import { Ended } from '../consultations/ended.tsx'
import ThankYou from './thank-you.page.tsx'

const ended = sampleRoom(5, 'Biscuit', { end: '2026-11-20T10:00:00Z', cancelled: false, paid: samplePaid() })
const OFFER = { code: 'THANKS-7', plan: 'annual', end: '2026-12-05T10:00:00Z' }

let left: string[]
let sent: ReturnType<typeof visit>['sent']
let offer: Turn
let me: Turn
let change: Partial<Room>
beforeEach(() => {
  sessionStorage.clear()
  left = watchLeaving()
  change = {}
  offer = ok(OFFER)
  me = ok({ ...sampleUser, region: 'au' })
})

function show(path: string) {
  const answer = (called: string) => {
    if (called === '/user/me') return me()
    return called.endsWith('/offer') ? offer() : { consultation: { ...ended, ...change } }
  }
  sent = visit('/thank-you', path, ThankYou, answer, { site: sampleSite }).sent
}
function showMine() {
  localStorage.setItem('singleToken', sampleToken())
  show('/thank-you?consultation=5')
}
const button = (name: string) => page.getByRole('button', { name })

it('the thank-you page offers a personal coupon that /subscribe receives with the plan [CON-10]', async () => {
  showMine()
  await expect.element(page.getByText('We hope Biscuit feels better soon.', { exact: false })).toBeVisible()
  await expect
    .element(page.getByText(`This offer is just for you: join with ${ended.user.email}.`, { exact: false }))
    .toBeVisible()
  expect(document.querySelectorAll('.bg-green')).toHaveLength(1)
  await button('Get R400 off a year').click()
  await expect.poll(() => left).toEqual(['/subscribe?plan=annually&coupon=THANKS-7'])
  expect(sent.at(-1)).toMatchObject(['/consultation/5/offer', { plan: 'annual' }])
})

it('the thank-you page fills in the form for joining with what the consult knows, and what was typed there since [CON-10, JOI-3]', async () => {
  sessionStorage.setItem('draft:joining', '{"mobile":"0825551234","name":"Biscuit II"}')
  showMine()
  const draft = () => JSON.parse(sessionStorage.getItem('draft:joining')!) as Record<string, string>
  await expect.poll(draft).toEqual({
    ...ended.user,
    name: 'Biscuit II',
    species: String(ended.pet.species_id),
    mobile: '0825551234',
  })
})

it('the offer after a consult is shown once it has ended, but not to a member [CON-10]', async () => {
  visit(
    '/',
    '/',
    () => <Ended room={ended} />,
    () => [],
  )
  const offer = page.getByText('See the offer')
  await expect.element(offer).toBeVisible()
  document.documentElement.toggleAttribute('data-member', true)
  await expect.element(offer).not.toBeVisible()
})

it('the thank-you page offers the first three months free [CON-10]', async () => {
  showMine()
  await button('Get 3 months free').click()
  await expect.poll(() => left).toEqual(['/subscribe?plan=monthly&coupon=THANKS-7'])
})

it.each([
  ['was free', samplePaid({ amount: 0 })],
  ['is a member’s', null],
  ['was refunded', samplePaid({ refunded: 450_00, why: 'by_us' })],
])('the thank-you page offers nothing for a consult that %s [SAF-2]', async (_, now) => {
  change = { paid: now }
  showMine()
  await expect.element(page.getByRole('link', { name: 'Join monthly' })).toBeVisible()
  expect(button('Get 3 months free').query()).toBeNull()
})

it('the thank-you page says why there is no offer [CON-10]', async () => {
  offer = refuse('OFFER_NOT_HERE')
  showMine()
  await button('Get R400 off a year').click()
  await expect.element(page.getByRole('alert').getByText(sentenceOf('OFFER_NOT_HERE'))).toBeVisible()
  expect(left).toEqual([])
})

it('the thank-you page names the prices of the account, whatever host shows them [CON-10]', async () => {
  localStorage.setItem('token', sampleToken())
  show('/thank-you?consultation=5')
  await expect.element(button('Get $40 off a year')).toBeVisible()
})

it('a consult can be rated on the thank-you page [CON-10]', async () => {
  showMine()
  await expect.element(page.getByRole('heading', { name: 'How was this consult?' })).toBeVisible()
})

it('the thank-you page leads back to a consult that is still open, and asks for nothing [CON-10]', async () => {
  change = { end: null }
  showMine()
  await expect
    .element(page.getByRole('link', { name: 'Open the chat' }))
    .toHaveAttribute('href', '/text-chat/5')
  expect(page.getByText('feels better soon', { exact: false }).query()).toBeNull()
  expect(page.getByRole('heading', { name: 'Keep a vet on hand' }).query()).toBeNull()
})

it('the thank-you page shows the plans at full price without a consult [CON-10]', async () => {
  show('/thank-you')
  await expect
    .element(page.getByRole('link', { name: 'Join yearly' }))
    .toHaveAttribute('href', '/subscribe?plan=annually')
  await expect
    .element(page.getByRole('link', { name: 'Join monthly' }))
    .toHaveAttribute('href', '/subscribe?plan=monthly')
  expect(sent).toEqual([])
})

it('the thank-you page offers nothing to somebody whose account, and so their membership, didn’t load [CON-10]', async () => {
  me = () => Response.json({ errors: ['Not now'] }, { status: 404 })
  localStorage.setItem('token', sampleToken())
  show('/thank-you?consultation=5')
  await expect.element(page.getByRole('heading', { name: 'How was this consult?' })).toBeVisible()
  expect(page.getByRole('heading', { name: 'Keep a vet on hand' }).query()).toBeNull()
})

it.each([
  [1280, 3],
  [800, 2],
  [390, 1],
])(
  'at %i px, what members have shows %i side by side, and moves by the buttons [CON-10]',
  async (width, count) => {
    await page.viewport(width, 844)
    show('/thank-you')
    const list = page.getByRole('list', { name: 'What you get' })
    await expect.element(list).toBeInTheDocument()
    const inView = () => {
      const box = list.element().getBoundingClientRect()
      return [...list.element().children].filter((card) => {
        const { left, right } = card.getBoundingClientRect()
        return left >= box.left - 1 && right <= box.right + 1
      }).length
    }
    await expect.poll(inView).toBe(count)
    await expect.element(button('Previous')).toHaveAttribute('aria-disabled', 'true')
    await button('Next').click()
    await expect.element(button('Previous')).toHaveAttribute('aria-disabled', 'false')
  },
)
