import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Coupon } from '#contract/coupons.ts'
import { ERRORS } from '#contract/errors.ts'
import { refuse, type Turn } from '../test/turns.ts'
import { visit } from '../test/visit.tsx'
import { lastDayOf } from './coupon-rules.ts'
import Coupons from './coupons.tsx'

const coupon = (id: number, code: string, change: Partial<Coupon> = {}): Coupon => ({
  id,
  code,
  amount_off: null,
  percent_off: 10,
  left_to_pay: null,
  length: null,
  referrer: 'Radio',
  end: null,
  region: null,
  product: 'both',
  uses: null,
  uses_each: null,
  used: 0,
  given: [],
  updated_at: '2026-01-01T00:00:00.000Z',
  deleted_at: null,
  ...change,
})

let leave = () => {}

/** A server with these coupons, newest first, a hundred a page. */
function show(coupons: Coupon[]) {
  const server = {
    coupons,
    asked: [] as string[],
    saved: [] as Record<string, unknown>[],
    removed: [] as string[],
    meets: (): ReturnType<Turn> | undefined => undefined,
  }
  const answer = (path: string, body: unknown) => {
    server.asked.push(path)
    const met = server.meets()
    if (met) return met
    if (path.startsWith('/pay/deleteCoupon/')) {
      server.removed.push(path)
      server.coupons = server.coupons.filter(({ id }) => !path.endsWith(`/${id}`))
      return {}
    }
    if (body) {
      const sent = body as Record<string, unknown>
      server.saved.push(sent)
      return { ...coupon(99, ''), ...sent }
    }
    const cursor = Number(/cursor=(\d+)/.exec(path)?.[1] ?? Number.MAX_SAFE_INTEGER)
    return server.coupons.filter(({ id }) => id < cursor).slice(0, 100)
  }
  leave = visit('*', '/', Coupons, answer).leave
  return server
}
const says = (words: string | RegExp) => expect.element(page.getByText(words).first()).toBeVisible()
const press = (name: string) => page.getByRole('button', { name }).click()
const field = (label: string | RegExp) => page.getByRole('textbox', { name: label })
const choose = (name: string) => page.getByRole('radio', { name }).click({ force: true })
const inDialog = (words: string | RegExp) => expect.element(page.getByRole('dialog').getByText(words).first())

it("the list shows each coupon's discount, regions, uses and last day [ADM-4]", async () => {
  show([
    coupon(4, 'WINTER', { uses: 500, used: 120, uses_each: 1, end: '2099-08-31T21:59:59.999Z' }),
    coupon(3, 'SORRY', { percent_off: null, amount_off: 39_95, region: 'au', product: 'consult' }),
    coupon(2, 'FLOOD', { percent_off: null, left_to_pay: 10_00, region: 'za', uses: 2, used: 2 }),
    coupon(1, 'OLD', { length: 3, product: 'membership', end: '2026-01-31T21:59:59.999Z' }),
  ])
  await says('WINTER')
  const rows = page.getByRole('row').elements().slice(1)
  const said = rows.map((row) =>
    [...row.querySelectorAll('td')].slice(0, 5).map((cell) => cell.innerText.replaceAll('\n', ', ')),
  )
  expect(said).toEqual([
    [
      'WINTER, Radio',
      '10% off, First payment',
      'Consult or membership, Every region',
      '120 of 500 used, 1 per buyer',
      'Mon 31 Aug 2099',
    ],
    ['SORRY, Radio', '$39.95 off', 'One consult, Australia', '0 used', 'No end'],
    [
      'FLOOD, Radio',
      'Fixed price R10, First payment',
      'Consult or membership, South Africa',
      '2 of 2 used',
      'No end, Used up',
    ],
    ['OLD, Radio', '10% off, For 3 months', 'Membership, Every region', '0 used', 'Sat 31 Jan 2026, Ended'],
  ])
})

it('the list loads a hundred coupons at a time, each once, and leaves the focus at their end [ADM-4]', async () => {
  const many = Array.from({ length: 130 }, (_, at) => coupon(130 - at, `CODE${130 - at}`))
  const server = show(many)
  await press('Show more')
  await says('CODE1')
  expect(server.asked).toEqual(['/pay/getCoupons', '/pay/getCoupons?cursor=31'])
  expect(page.getByRole('row').elements()).toHaveLength(131)
  await expect.element(page.getByText('That’s everything.')).toHaveFocus()
})

it('the form creates a coupon with one kind of discount and money in cents [ADM-4]', async () => {
  const server = show([coupon(1, 'OLD')])
  await press('New coupon')
  await field('Code').fill(' WINTER ')
  await field('Referrer').fill('Winter letter')
  await field('Percent off').fill('20')
  await choose('Amount off')
  await page.getByRole('combobox', { name: 'Region' }).selectOptions('au')
  await field('Amount off (dollars)').fill('$1 039,5')
  await choose('Membership')
  await field(/^Months/).fill('3')
  await field(/^Total uses/).fill('500')
  await field(/^Uses per buyer/).fill('1')
  await field(/^Last day/).fill('31/08/2027')
  await press('Create coupon')
  await says('WINTER is ready to use.')
  expect(server.saved).toEqual([
    {
      code: ' WINTER ',
      referrer: 'Winter letter',
      percent_off: null,
      amount_off: 1039_50,
      left_to_pay: null,
      region: 'au',
      product: 'membership',
      length: '3',
      uses: '500',
      uses_each: '1',
      end: '2027-08-31',
    },
  ])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('the form generates a code of 10 letters and digits [ADM-4]', async () => {
  show([])
  await press('New coupon')
  await press('Generate one')
  const code = () => (field('Code').element() as HTMLInputElement).value
  expect(code()).toMatch(/^[A-Z2-9]{10}$/)
  const first = code()
  await press('Generate one')
  expect(code()).not.toBe(first)
})

it('the form shows errors beside the fields before anything is sent [ADM-4]', async () => {
  const server = show([])
  const errors = () =>
    [...document.querySelectorAll('dialog [aria-invalid]')].map(
      (one) => document.getElementById(`${one.id}-error`)?.innerText,
    )
  await press('New coupon')
  await press('Create coupon')
  await expect
    .poll(errors)
    .toEqual(['Code is required', 'Referrer is required', 'Amount off or percent off needs to be valid data'])
  await choose('Fixed price')
  await field('Fixed price').fill('fifty')
  await field(/^Last day/).fill('31/13/2027')
  await press('Create coupon')
  await expect
    .poll(errors)
    .toEqual([
      'Code is required',
      'Referrer is required',
      'Amount Off must be a number',
      'Enter a date such as 31/12/2027.',
    ])
  expect(server.saved).toEqual([])
})

it('the form shows a refusal beside its field [ADM-4]', async () => {
  const server = show([coupon(1, 'OLD')])
  await press('New coupon')
  await field('Code').fill('OLD')
  await field('Referrer').fill('Radio')
  await field('Percent off').fill('20')
  server.meets = refuse('COUPON_CODE_TAKEN', { fields: { code: ERRORS.COUPON_CODE_TAKEN.message } })
  await press('Create coupon')
  await expect.element(field('Code')).toHaveAccessibleDescription(/Code already exists\./)
  server.meets = refuse('COUPON_PRICE_TOO_SMALL')
  await press('Create coupon')
  await inDialog(ERRORS.COUPON_PRICE_TOO_SMALL.message).toBeVisible()
  // The draft survives closing and a reload.
  leave()
  show([])
  await press('New coupon')
  await expect.element(field('Code')).toHaveValue('OLD')
})

it('the form changes a coupon, and keeps an untouched end to the minute [ADM-4]', async () => {
  const end = '2099-08-31T10:15:00.000Z'
  const server = show([
    coupon(7, 'GIFT', { percent_off: null, amount_off: 50_50, region: 'za', product: 'consult', end }),
  ])
  await press('Edit GIFT, South Africa')
  await expect.element(field('Amount off (rand)')).toHaveValue('50.50')
  await expect.element(field(/^Last day/)).toHaveValue('31/08/2099')
  await expect.element(field(/^Months/)).not.toBeInTheDocument()
  await field('Referrer').fill('Television')
  await press('Save changes')
  await says('GIFT has been updated.')
  await press('Edit GIFT, South Africa')
  await field(/^Last day/).fill('01/09/2099')
  await press('Save changes')
  await expect.poll(() => server.saved).toHaveLength(2)
  expect(server.saved.map((one) => [one['id'], one['amount_off'], one['end'], one['length']])).toEqual([
    [7, 50_50, end, null],
    [7, 50_50, '2099-09-01', null],
  ])
})

it("the form reads the last day in the region's time zone, and for all regions in the zone where the day ends last", () => {
  const end = '2031-12-31T21:59:59.999Z'
  expect(lastDayOf({ end, region: 'za' })).toBe('2031-12-31')
  expect(lastDayOf({ end, region: null })).toBe('2031-12-31')
  expect(lastDayOf({ end: '2031-12-31T12:59:59.999Z', region: 'au' })).toBe('2031-12-31')
  expect(lastDayOf({ end: null, region: null })).toBe('')
})

it('removing a coupon asks first and says what remains; a refusal is shown and the coupon stays [ADM-4]', async () => {
  const server = show([coupon(2, 'WINTER', { used: 3 }), coupon(1, 'OLD')])
  await press('Remove WINTER')
  await inDialog(/It was used 3 times, and what was bought with it isn’t affected\./).toBeVisible()
  await press('Keep it')
  expect(server.removed).toEqual([])
  await press('Remove WINTER')
  server.meets = refuse('UNEXPECTED')
  await press('Remove coupon')
  await inDialog(ERRORS.UNEXPECTED.message).toBeVisible()
  server.meets = () => undefined
  await press('Remove coupon')
  await says('WINTER has been removed.')
  expect(server.removed).toEqual(['/pay/deleteCoupon/2'])
  expect(page.getByText('WINTER').elements()).toEqual([])
  await expect.poll(() => document.activeElement?.textContent).toBe('Coupons')
})

it('a coupon that another admin removed says so when it is saved, and leaves the list [ADM-4]', async () => {
  const server = show([coupon(2, 'WINTER'), coupon(1, 'OLD')])
  await press('Edit WINTER')
  server.coupons = [coupon(1, 'OLD')]
  server.meets = () => {
    server.meets = () => undefined
    return refuse('COUPON_REMOVED')()
  }
  await press('Save changes')
  await inDialog(ERRORS.COUPON_REMOVED.message).toBeVisible()
  await press('Cancel')
  await expect.element(page.getByText('WINTER')).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement?.textContent).toBe('Coupons')
})
