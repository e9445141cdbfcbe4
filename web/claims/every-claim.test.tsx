import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { AdminsClaim } from '#contract/claims.ts'
import { visit } from '../test/visit.tsx'
import EveryClaim from './every-claim.tsx'

const claim = (change: Partial<AdminsClaim> = {}): AdminsClaim => ({
  id: 5,
  pet: { id: 1, name: 'Biscuit' },
  incident: 'tick',
  happened_on: '2026-11-15',
  amount: 845_000,
  currency: 'zar',
  would_pay: 345_000,
  state: 'sent',
  paid: null,
  decision: '',
  at: '2026-11-21T10:00:00.000Z',
  owner: { id: 7, firstName: 'Thandi', lastName: 'Nkosi', email: 'thandi@example.com', has_left: false },
  invoice: '/media/claims/abc',
  decided: null,
  ...change,
})
const decidedAt = '2026-11-22T10:00:00.000Z'

function open(
  claims: AdminsClaim[],
  { here = true, meets }: { here?: boolean; meets?: () => Response } = {},
) {
  const server = { claims }
  const visited = visit('/admin/claims', '/admin/claims', EveryClaim, (path, body) => {
    if (body) {
      const { paid, decision } = body as { paid: number; decision: string }
      const refusal = meets?.()
      if (refusal) return refusal
      const decided = { at: decidedAt, by: 'Sam Demo' }
      server.claims = [claim({ state: 'decided', paid, decision, decided })]
      return Response.json(server.claims[0])
    }
    const state = /state=(\w+)/.exec(path)?.[1]
    const asked = server.claims.filter((one) => state === undefined || one.state === state)
    return Response.json({ claims: asked, next: null, sent_from_here: here })
  })
  return { ...visited, decisions: () => visited.sent.flatMap(([, body]) => (body ? [body] : [])) }
}
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
const says = (words: string | RegExp) => expect.element(page.getByText(words).first()).toBeVisible()

it('an admin records what the insurer paid, and corrects it [PET-10]', async () => {
  const { decisions } = open([claim()])
  await expect
    .element(page.getByRole('link', { name: 'Thandi Nkosi' }))
    .toHaveAttribute('href', '/admin/members/7')
  await expect
    .element(page.getByRole('link', { name: 'Invoice of R8\u00a0450' }))
    .toHaveAttribute('href', '/media/claims/abc')
  await press('Record the decision on claim 5')
  const paid = page.getByLabelText('Amount paid')
  await expect.element(paid).toHaveValue('3450')
  await paid.fill('8450,01')
  await press(/^Record R/)
  await says('Enter what the insurer paid, up to the amount of the bill.')
  await paid.fill('3 000')
  await press('Record R3\u00a0000 paid')
  await says('Paid R3\u00a0000')
  await press('Correct the decision on claim 5')
  await page.getByRole('radio', { name: 'Declined' }).click({ force: true })
  await press('Record it as declined')
  await says('Say why the insurer declined it. The owner will read this.')
  await page.getByLabelText('Message to the owner').fill('Ticks were known before.')
  await press('Record it as declined')
  await says('Declined')
  await expect.poll(decisions).toEqual([
    { paid: 300_000, decision: '', seen: null },
    { paid: 0, decision: 'Ticks were known before.', seen: decidedAt },
  ])
})

it('a decision that another admin recorded first is shown, and only then replaced [PET-10]', async () => {
  const theirs = claim({ state: 'decided', paid: 200_000, decided: { at: decidedAt, by: 'Zola Demo' } })
  let isFirst = true
  const { decisions } = open([claim()], {
    meets() {
      if (!isFirst) return undefined as never
      isFirst = false
      return Response.json({ errors: [''], code: 'CHANGED_UNDER_YOU', current: theirs }, { status: 409 })
    },
  })
  await press('Record the decision on claim 5')
  await press('Record R3\u00a0450 paid')
  await says(/^Somebody else saved this after you opened it/)
  await says('Paid R2\u00a0000')
  await press('Record R3\u00a0450 paid')
  await expect.poll(() => decisions().at(-1)).toMatchObject({ paid: 345_000, seen: decidedAt })
})

it('an owner who deleted their account is named, and gets no mail [PET-10]', async () => {
  const owner = { ...claim().owner, has_left: true }
  open([claim({ owner })])
  await says('Thandi Nkosi')
  expect(page.getByRole('link', { name: 'Thandi Nkosi' }).query()).toBeNull()
  await press('Record the decision on claim 5')
  await says('They deleted their account, so we don’t email them.')
})

it('the state is in the address, and an empty list says why it is empty [PET-10]', async () => {
  const { router, leave } = open([claim()])
  await page.getByRole('link', { name: 'Decided' }).click()
  await says('Nothing decided yet')
  expect(router.state.location.hash).toBe('#state=decided')
  await page.getByLabelText('Owner’s name or email, or pet').fill('zola')
  await says('Nothing matches')
  expect(router.state.location.hash).toBe('#state=decided&q=zola')
  leave()
  open([], { here: false })
  await says('Owners claim by hand')
})
