import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DAY } from '#contract/time.ts'
import { samplePaid, sampleRoom } from '#test/samples.ts'
import { mount } from '../test/mount.tsx'
import { answerCalls } from '../test/visit.tsx'
import { CheckIn } from '../aftercare/check-in.tsx'
import { OwnClinicDialog } from '../aftercare/own-clinic-dialog.tsx'
import { PaidBack } from './refunded.tsx'
import { Receipts } from '../ledger/consult-receipts.tsx'

const soon = new Date(Date.now() + DAY).toISOString()
const asked = { asked: true, answer: null, at: null }

let leave = () => {}
let sent: ReturnType<typeof answerCalls> = []
let answers = (_path: string): Response => Response.json({})
beforeEach(() => {
  answers = () => Response.json({})
  sent = answerCalls((path) => answers(path))
})

function show(shown: ReactNode) {
  leave = mount(<RouterProvider router={createMemoryRouter([{ path: '/', element: shown }])} />)
}

it('the page asks nothing before it is due [CON-8]', async () => {
  show(<CheckIn room={sampleRoom(7, 'Simba')} />)
  await expect.element(page.getByText('How is Simba today?')).not.toBeInTheDocument()
})

it('one click answers how the pet is [CON-8]', async () => {
  show(<CheckIn room={sampleRoom(7, 'Simba', { end: soon, check_in: asked })} />)
  await userEvent.click(page.getByRole('radio', { name: 'Better' }))
  await expect.poll(() => sent).toEqual([['/consultation/7/check-in', { answer: 'better' }]])
})

it('an answer that fails to send says so and can be sent again [CON-8]', async () => {
  answers = () => new Response('', { status: 502 })
  show(<CheckIn room={sampleRoom(7, 'Simba', { end: soon, check_in: asked })} />)
  await userEvent.click(page.getByRole('radio', { name: 'The same' }))
  await expect.element(page.getByText(/^Something went wrong on our side/)).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'The same' })).not.toBeChecked()
})

const worse = {
  end: soon,
  follow_up_until: soon,
  check_in: { asked: true, answer: 'worse' as const, at: soon },
}

it('a pet that got worse sees a vet again, once the owner says what changed [CON-8]', async () => {
  answers = () => new Response('', { status: 502 })
  show(<CheckIn room={sampleRoom(7, 'Simba', worse)} />)
  await userEvent.click(page.getByRole('button', { name: 'See a vet again, free' }))
  await expect.element(page.getByText('Please tell us what has changed with Simba.')).toBeVisible()
  await userEvent.fill(page.getByLabelText('What has changed?'), 'He will not drink')
  await userEvent.click(page.getByRole('button', { name: 'See a vet again, free' }))
  await expect.poll(() => sent).toEqual([['/consultation/7/reopen', { query: 'He will not drink' }]])
  await expect.element(page.getByLabelText('What has changed?')).toHaveValue('He will not drink')
})

it('the page links to a follow-up consult that is already open [CON-8]', async () => {
  show(<CheckIn room={sampleRoom(7, 'Simba', { ...worse, goes_on_in: 9 })} />)
  await expect
    .element(page.getByRole('link', { name: 'Go to the new consult' }))
    .toHaveAttribute('href', '/text-chat/9')
})

const shares = (url: string, probably: object | null, steps: object[] = []) =>
  url.includes('/shares') ? { steps, pictures: false, probably } : undefined

it("the owner's own clinic is one press away the next time, and what it got can be read and taken back [CON-7]", async () => {
  const at = new Date().toISOString()
  const steps = [{ step: 'shared', clinic: 'Sample Vet', pictures: true, at }]
  answers = (url) => Response.json(shares(url, { id: 4, clinic: 'Sample Vet', address: '' }, steps) ?? {})
  const close = vi.fn<() => void>()
  const open = (clinic: { id: number; clinic: string; shared_at: string } | null) =>
    show(<OwnClinicDialog room={{ ...sampleRoom(7, 'Simba'), clinic }} onClose={close} />)
  open(null)
  await userEvent.click(page.getByRole('button', { name: 'Share with Sample Vet' }))
  await expect.poll(() => close.mock.calls.length).toBe(1)
  leave()
  open({ id: 4, clinic: 'Sample Vet', shared_at: at })
  await expect.element(page.getByText('You shared the summary and your photos with Sample Vet')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Take it back' }))
  await expect.poll(() => close.mock.calls.length).toBe(2)
  const last = sent.findLast(([path]) => path.endsWith('/clinic'))!
  expect(last[1]).toMatchObject({ clinic: null, agreed: false })
})

it("the owner's own clinic is asked for at its field, until one is chosen [CON-7]", async () => {
  answers = (url) =>
    Response.json(shares(url, null) ?? [{ id: 4, clinic: 'Sample Vet', address: '1 High Street' }])
  show(<OwnClinicDialog room={sampleRoom(7, 'Simba')} onClose={() => {}} />)
  await userEvent.click(page.getByRole('button', { name: 'Share with this clinic' }))
  const field = page.getByLabelText('Clinic or town')
  await expect.element(field).toHaveFocus()
  await expect.element(field).toHaveAccessibleDescription(/^Please choose your clinic from the list\./)
  await userEvent.fill(field, 'sam')
  await userEvent.click(page.getByRole('radio', { name: /Sample Vet/ }))
  await expect.element(field).not.toHaveAttribute('aria-invalid')
})

it("the page says when we don't know it, and what to do instead [CON-7]", async () => {
  answers = (url) => Response.json(shares(url, null) ?? [])
  show(<OwnClinicDialog room={sampleRoom(7, 'Simba')} onClose={() => {}} />)
  await userEvent.fill(page.getByLabelText('Clinic or town'), 'zz')
  await expect.element(page.getByText(/We don’t have a clinic that starts with “zz”/)).toBeVisible()
})

it('the page shows a refund and its reason, and says nothing if there is none [CON-11]', async () => {
  show(
    <>
      <PaidBack paid={samplePaid()} />
      <PaidBack paid={samplePaid({ refunded: 450_00, on_its_way: 450_00, why: 'late' })} />
      <PaidBack paid={samplePaid({ refunded: 450_00, why: 'cancelled' })} />
    </>,
  )
  await expect.element(page.getByText('We’re refunding R450 to your card', { exact: false })).toBeVisible()
  await expect.element(page.getByText('We’ve refunded R450 to your card', { exact: false })).toBeVisible()
  expect(document.querySelectorAll('p')).toHaveLength(2)
})

it('a guest opens the receipts of the consult from there [BUY-11]', async () => {
  const line = {
    id: 12,
    number: 'VC-12',
    at: soon,
    what: 'Text consult',
    currency: 'zar',
    url: '/media/a.pdf',
  }
  answers = () =>
    Response.json([
      { ...line, kind: 'refund', number: 'VC-13', id: 13, amount: -450_00 },
      { ...line, kind: 'charge', amount: 450_00 },
    ])
  show(<Receipts id={7} />)
  await expect
    .element(page.getByRole('link', { name: 'Receipt VC-12, R450' }))
    .toHaveAttribute('href', '/media/a.pdf')
  await expect.element(page.getByRole('link', { name: 'Refund VC-13, R450' })).toBeVisible()
})
