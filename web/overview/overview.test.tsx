import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { visit } from '../test/visit.tsx'
import OverviewView from './overview.tsx'
import type { Overview } from './queries.ts'

const quiet = { text: 0, video: 0, phone: 0, within: 0, late: 0, net: 0, gained: 0, lost: 0 }
const EMPTY: Overview = {
  region: 'za',
  from: '2026-11-20',
  to: '2026-11-21',
  by_day: [
    { day: '2026-11-20', ...quiet },
    { day: '2026-11-21', ...quiet },
  ],
  by_hour: [],
  wait: { median: null, longest: null },
  estimates: { told: 0, sooner: 0, within: 0, later: 0, missed: [] },
  ratings: { count: 0, mean: null, with_words: 0, stars: [0, 0, 0, 0, 0] },
  money: [],
  members: { now: 0, gained: 0, lost: 0 },
}
const BUSY: Overview = {
  ...EMPTY,
  by_day: [
    { day: '2026-11-20', text: 30, video: 9, phone: 2, within: 38, late: 1, net: 900_00, gained: 2, lost: 0 },
    { day: '2026-11-21', text: 8, video: 2, phone: 0, within: 9, late: 1, net: -150_00, gained: 0, lost: 1 },
  ],
  by_hour: [
    { hour: 2, waits: 10, median: 7.4, nine_of_ten: 17.26 },
    { hour: 3, waits: 39, median: 4, nine_of_ten: 9 },
  ],
  wait: { median: 4.6, longest: { minutes: 21.2, at: '2026-11-20T17:40:00Z' } },
  estimates: {
    told: 40,
    sooner: 2,
    within: 34,
    later: 4,
    missed: [{ id: 7, at: '2026-11-20T17:40:00Z', from: 6, to: 11, took: 21.2 }],
  },
  ratings: { count: 12, mean: 4.67, with_words: 5, stars: [0, 0, 1, 2, 9] },
  money: [
    { region: 'au', currency: 'aud', charged: 39_95, refunds: 0, refunded: 0, disputed: 0, net: 39_95 },
    {
      region: 'za',
      currency: 'zar',
      charged: 900_00,
      refunds: 1,
      refunded: 150_00,
      disputed: 0,
      net: 750_00,
    },
  ],
  members: { now: 1200, gained: 2, lost: 1 },
}

let leave = () => {}

function show(answer: () => Response, address = '/admin/overview') {
  const shown = visit('/admin/:view', address, OverviewView, answer)
  ;({ leave } = shown)
  return shown.sent
}
const says = (words: string | RegExp) => expect.element(page.getByText(words).first()).toBeVisible()

it('the overview shows what counts first, and charts that fit a phone, each with its figures as a table [ADM-7]', async () => {
  const asked = show(() => Response.json(BUSY), '/admin/overview?days=7')
  await says('38 text, 11 video, 2 phone')
  for (const words of [
    /^Fri 20 Nov( 2026)? to Sat 21 Nov( 2026)?, times in South Africa$/,
    /^Longest 21 min, Fri 20 Nov( 2026)?, 19:40$/,
    '2 of 49 waited longer',
    '12 ratings, 5 with words',
    '1 refund, R150 in all',
    '2 gained, 1 lost',
    // Nine of ten on the second day, so the axis can't start at zero and says so.
    /in percent. The axis starts at 85/,
    '6 to 11 min',
  ])
    await says(words)
  expect(asked).toEqual([['/overview?days=7', undefined]])
  await expect
    .element(page.getByRole('link', { name: '7 days' }))
    .toHaveAttribute('href', '/admin/overview?days=7')
  await expect.element(page.getByRole('link', { name: '7 days' })).toHaveAttribute('aria-current', 'page')
  await expect
    .element(page.getByRole('img', { name: /The longest wait for nine in ten was at 02:00: 17 minutes/ }))
    .toBeVisible()
  for (const chart of document.querySelectorAll('svg[role=img]'))
    expect(chart.getBoundingClientRect().right, chart.ariaLabel ?? '').toBeLessThanOrEqual(innerWidth)
  expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
  await page.getByText('Show as a table').first().click()
  await expect.element(page.getByRole('row', { name: '02:00 10 7 min 17 min' })).toBeVisible()
})

it('the overview saves the figures of a chart as a CSV file [ADM-7]', async () => {
  show(() => Response.json(BUSY))
  const saved: [name: string, blob: Blob][] = []
  const made: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    made.push(blob as Blob)
    return '#'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.download, made.at(-1)!])
  })
  const save = async (title: string) => {
    await page.getByRole('button', { name: `${title}: CSV` }).click()
    const [name, blob] = saved.at(-1)!
    return [name, new TextDecoder('utf-8').decode(await blob.arrayBuffer())]
  }
  expect(await save('Consults a day')).toEqual([
    'consults-a-day-2026-11-20-to-2026-11-21.csv',
    'Day,Text,Video,Phone,All\r\n2026-11-20,30,9,2,41\r\n2026-11-21,8,2,0,10\r\n',
  ])
  expect((await save('Paid a day, less refunds'))[1]).toBe(
    'Day,"Paid, less refunds"\r\n2026-11-20,900\r\n2026-11-21,-150\r\n',
  )
  expect((await save('Money by region'))[1]).toContain('"Australia, AUD",39.95,0,0,39.95\r\n')
})

it('the overview says if nothing has happened yet, and if it can’t load [ADM-7]', async () => {
  show(() => Response.json(EMPTY))
  for (const words of [
    'Nobody waited',
    'No refunds',
    'Nobody waited for a vet in this period.',
    'No consults in this period.',
    'No owner was shown an estimate in this period.',
    'No money moved in this period.',
    'Nobody rated a consult in this period.',
  ])
    await says(words)
  expect(document.body.innerHTML).not.toContain('NaN')
  leave()
  show(() => Response.json({ errors: ['no'] }, { status: 400 }))
  await expect.element(page.getByText('We couldn’t load the overview')).toBeVisible()
})
