import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Answer, visit } from '../test/visit.tsx'
import Money from './money.tsx'

const charge = {
  id: 12,
  at: '2026-11-21T08:13:00.000Z',
  kind: 'charge',
  amount: 45_000,
  currency: 'zar',
  region: 'za',
  email: 'thandi@example.com',
  what: 'Text consult about Biscuit',
  consultation_id: 3,
  subscription_id: null,
  refunded: 0,
  disputed: 0,
}
const listed = (refunded = 0) =>
  Response.json({ entries: [{ ...charge, refunded }], next: null, only_some: false })

const open = (answer: Answer, address = '/admin/money') => visit('/admin/money', address, Money, answer)

it('a search keeps the focus, and going back shows the search before it [ADM-8]', async () => {
  const { router } = open(() => listed())
  const box = page.getByLabelText('Receipt number, name, email or amount')
  await box.fill(' thandi ')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.hash).toBe('#q=thandi')
  await expect.element(box).toHaveFocus()
  await expect.element(box).toHaveValue('thandi')
  void router.navigate(-1)
  await expect.element(box).toHaveValue('')
})

it('a refund whose answer was lost shows in the list if it was made [ADM-8]', async () => {
  let refunded = 0
  open((_path, body) => {
    if (!body) return listed(refunded)
    refunded = 5000
    throw new TypeError('Failed to fetch')
  })
  await page.getByRole('button', { name: 'Refund VC-12' }).click()
  await expect.element(page.getByText('We email it to the payer with the refund.')).toBeVisible()
  await page.getByRole('radio', { name: 'A part' }).click({ force: true })
  await page.getByLabelText('Amount').fill('50')
  await page.getByLabelText('Reason').fill('Asked by email')
  await page.getByRole('button', { name: 'Refund R50' }).click()
  await expect.element(page.getByText(/^We couldn’t reach VetChat/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByText('R50 refunded')).toBeVisible()
})

it('what a bank took back is told apart from refunds, and can’t be refunded as well [ADM-8]', async () => {
  const disputed = { ...charge, refunded: 10_000, disputed: 45_000 }
  open(() => Response.json({ entries: [disputed], next: null, only_some: false }))
  await expect.element(page.getByText('R100 refunded, R450 disputed')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Refund VC-12' })).not.toBeInTheDocument()
})

it('disputes say which of them need an answer, and by when [ADM-8]', async () => {
  const at = '2026-11-21T08:13:00.000Z'
  const decided = { id: 1, at, amount: 45_000, stands: 'lost', needs_answer: false, answer_by: null, charge }
  const disputes = [
    { ...decided, id: 4, stands: 'open', needs_answer: true, answer_by: '2026-12-05T08:13:00.000Z' },
    { ...decided, id: 3, stands: 'asked', needs_answer: true },
    { ...decided, id: 2, stands: 'open' },
    decided,
  ]
  open(() => Response.json({ disputes, next: null }), '/admin/money?show=disputes')
  const row = page.getByRole('row')
  await expect.element(row.nth(1).getByText('Needs an answer')).toBeVisible()
  await expect.element(row.nth(1).getByText(/^At the payment provider, by .*5\sDec/)).toBeVisible()
  await expect.element(row.nth(2).getByText('At the payment provider.')).toBeVisible()
  await expect.element(row.nth(3).getByText('The bank decides')).toBeVisible()
  await expect.element(row.nth(4).getByText('Lost')).toBeVisible()
})

it('a receipt number of six digits stays on one line [ADM-8]', async () => {
  await page.viewport(1024, 768)
  open(() => Response.json({ entries: [{ ...charge, id: 123_456 }], next: null, only_some: false }))
  const cell = page.getByRole('cell', { name: 'VC-123456' })
  await expect.element(cell).toBeVisible()
  const text = document.createRange()
  text.selectNodeContents(cell.element())
  expect(new Set([...text.getClientRects()].map(({ top }) => top)).size).toBe(1)
})

it('the refund of a membership’s payment says that it doesn’t end the membership [ADM-8]', async () => {
  const entries = [{ ...charge, what: 'Monthly membership', consultation_id: null, subscription_id: 5 }]
  open(() => Response.json({ entries, next: null, only_some: false }))
  await page.getByRole('button', { name: 'Refund VC-12' }).click()
  await expect.element(page.getByText(/A refund doesn’t end a membership/)).toBeVisible()
})
