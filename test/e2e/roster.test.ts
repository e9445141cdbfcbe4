import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { emailOf } from './people.ts'
import { accessible, stage } from './stage.ts'

const DESK = { viewport: { width: 1440, height: 1000 } }

/** A product of its own: a shift changes hands. */
const at = stage({ expected: /^$/ })

const as = async (who: string) => at.page(await at.deviceOf(who, DESK))

/** The pressed button is gone, and the heading above it has the focus. */
const leadsTo = (page: Page, heading: string) =>
  expect.poll(() => page.locator(':focus').textContent()).toBe(heading)

it('an admin fills a gap and takes it back, a vet takes a shift that a colleague offers, and the whole week fits on paper [VET-7]', async () => {
  const admin = await as('admin')
  await admin.goto(`${at.url}/admin/roster`)
  const gaps = admin.getByRole('button', { name: /Fill$/ })
  await gaps.first().waitFor()
  await accessible(admin)
  const before = await gaps.count()
  await gaps.first().press('Enter')
  await admin.getByText('this week').first().waitFor()
  await accessible(admin)
  await admin.getByRole('dialog').getByRole('radio').last().check()
  await admin.getByRole('dialog').getByRole('button', { name: 'Add shift' }).click()
  await expect.poll(() => gaps.count()).toBe(before - 1)
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => gaps.count()).toBe(before)
  await leadsTo(admin, 'Duty roster')

  // Nobody is planned years ahead.
  await admin.goto(`${at.url}/admin/roster?from=2035-01-08`)
  await expect.poll(() => gaps.count()).toBe(21)
  await accessible(admin)

  const vet = await as('vet2')
  await vet.goto(`${at.url}/roster`)
  expect(await vet.getByRole('button', { name: /Fill$/ }).count()).toBe(0)
  await vet.getByRole('button', { name: /^See shift: Dr Busi Radebe/ }).click()
  await vet.getByRole('button', { name: 'Take the shift' }).click()
  await vet.getByText('No shift in these seven days is on offer.').waitFor()
  await leadsTo(vet, 'Offered')
  await accessible(vet)
  await at.mailed(emailOf('busi'), /A colleague has taken over your shift/)

  // A sheet of A4, upright.
  await vet.setViewportSize({ width: 794, height: 1123 })
  await vet.emulateMedia({ media: 'print' })
  const week = (await vet.getByRole('table', { name: /^Who is on duty/ }).boundingBox())!
  expect(week.x + week.width).toBeLessThanOrEqual(794)
  expect(await vet.getByRole('group', { name: 'Day' }).isVisible()).toBe(false)
})
