import { openPerson } from '#contract/people.ts'
import { eq } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { cancelConsultation, getConsultation, PROMISED_MINUTES } from '#contract/consultations.ts'
import {
  listFailedRefunds,
  listLedger,
  listReceipts,
  payRefundByHand,
  refundCharge,
} from '#contract/ledger.ts'
import { updateMe } from '#contract/profile.ts'
import { finishPurchase, listUnfinished } from '#contract/purchases.ts'
import { handBackConsultation, takeConsultation } from '#contract/queue.ts'
import { addHours } from '#contract/time.ts'
import { auditLog, consultations, ledger, pets, purchases, refunds, users } from '#server/db/schema.ts'
import { pagesOf } from '#test/documents.ts'
import { paidFor, payingGuest, payingOwner } from '#test/paid.ts'
import { purchaseOf } from '#test/purchases.ts'
import { createWorld } from '#test/world.ts'
import { atOnce } from '../concurrency/at-once.ts'

const ENTITY = 'VetChat (Pty) Ltd, 1 Example Road'

const world = await createWorld({
  env: {
    LEGAL_ENTITY: `za=${ENTITY}`,
    TAX_NUMBER: 'za=4000000000',
    SUPPORT_PHONE: 'za=+27 21 555 0100',
    SUPPORT_EMAIL: 'za=help@vetchat.example',
    SITES: 'au=http://au.localhost',
    LEDGER_EMAIL: 'books@vetchat.example',
  },
})

const entriesOf = (charge: number) => world.rows(ledger, { chargeId: charge })
const refundsOf = (charge: number) => world.rows(refunds, { chargeId: charge })
const consultationOf = async (id: number) => (await world.rows(consultations, { id }))[0]!
const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`
/** The refunds of a payment, as the provider has them. */
const atProvider = async (intent: string) =>
  (await world.world.payments.refundsOf(intent)).map(({ amount }) => amount)
const REFUNDS = 'POST /v1/refunds'

it('a consult that waits for a vet is refunded in full and once when its owner leaves the queue, with the reason [CON-11]', async () => {
  const guest = await payingGuest(world)
  await guest.call(cancelConsultation, { id: guest.consultation.id })
  await world.runDue()
  await guest.call(cancelConsultation, { id: guest.consultation.id })
  await world.runDue()

  const { charge } = guest
  expect((await entriesOf(charge.id)).map(({ amount, kind }) => ({ amount, kind }))).toEqual([
    { amount: -450_00, kind: 'refund' },
  ])
  expect(await refundsOf(charge.id)).toMatchObject([{ why: 'cancelled', amount: 450_00, dueAt: null }])
  expect(await atProvider(charge.stripeId)).toEqual([450_00])
  const mails = await world.mailsTo(guest.user.email, 'refund')
  expect(mails.map(({ subject }) => subject)).toEqual(['Your refund of R450'])
  expect(mails[0]!.text).toContain('You left the queue before a vet answered')
})

it('a consult that waits for a vet is refunded automatically if no vet joined within the promise, and stays in the queue, free [CON-11]', async () => {
  const owner = await payingOwner(world)
  const { charge, consultation } = owner
  await world.pass({ minutes: PROMISED_MINUTES - 1 })
  expect(await refundsOf(charge.id)).toEqual([])

  await world.pass({ minutes: 1 })
  await world.runDue()
  expect(await refundsOf(charge.id)).toMatchObject([{ why: 'late', amount: 450_00 }])
  expect(await atProvider(charge.stripeId)).toEqual([450_00])
  const waits = await consultationOf(consultation.id)
  expect([waits.end, waits.vetId]).toEqual([null, null])
  expect(waits.freeSince).not.toBeNull()
  // One mail says that the owner is still waiting and how much we refund.
  const mails = (await world.mailsTo(owner.email)).filter(({ template }) => template !== 'receipt')
  expect(mails.map(({ subject }) => subject)).toEqual([
    'We’re sorry you’re still waiting: we’re refunding R450',
  ])
  expect(mails[0]!.text).toContain(`No vet joined your consult within ${PROMISED_MINUTES} minutes`)
  expect(mails[0]!.text).toContain('to the card you paid with. Your bank may take 5 to 10 days to show it.')
  expect(mails[0]!.text).toContain(`/text-chat/${consultation.id}`)

  // Leaving later brings no second refund, and a vet may still take it.
  const vet = await world.vet()
  await vet.call(takeConsultation, { id: consultation.id })
  expect((await consultationOf(consultation.id)).vetId).toBe(vet.id)
  expect(await refundsOf(charge.id)).toHaveLength(1)
})

it('a consult that waits for a vet bought without an account shows the reason for the refund in the room [CON-11, BUY-11]', async () => {
  const guest = await payingGuest(world)
  const { id } = guest.consultation
  const paid = async () => (await guest.call(getConsultation, { id })).consultation.paid
  await world.runDue()
  expect(await paid()).toEqual({ amount: 450_00, currency: 'zar', refunded: 0, on_its_way: 0, why: null })
  const receipts = async () => (await guest.call(listReceipts, {})).map(({ amount }) => amount)
  expect(await receipts()).toEqual([450_00])

  await world.pass({ minutes: PROMISED_MINUTES })
  expect(await paid()).toEqual({
    amount: 450_00,
    currency: 'zar',
    refunded: 450_00,
    on_its_way: 0,
    why: 'late',
  })
  expect(await receipts()).toEqual([-450_00, 450_00])
  const subjects = (await world.mailsTo(guest.user.email)).map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual([
    'We’re sorry you’re still waiting: we’re refunding R450',
    expect.stringMatching(/^Your tax invoice VC-\d+: R450$/),
  ])
  expect((await consultationOf(id)).end).toBeNull()
})

it('a consult that waits for a vet is not refunded again when its owner leaves after it became free [CON-11]', async () => {
  const owner = await payingOwner(world)
  await world.pass({ minutes: PROMISED_MINUTES + 1 })
  await owner.call(cancelConsultation, { id: owner.consultation.id })
  await world.runDue()
  expect(await refundsOf(owner.charge.id)).toMatchObject([{ why: 'late' }])
  expect(await atProvider(owner.charge.stripeId)).toEqual([450_00])
})

it('a consult that waits for a vet keeps its price if a vet joined in time and handed it back to the queue later [CON-11]', async () => {
  const owner = await payingOwner(world)
  const vet = await world.vet()
  world.advance({ minutes: 5 })
  await vet.call(takeConsultation, { id: owner.consultation.id })
  world.advance({ minutes: PROMISED_MINUTES })
  await vet.call(handBackConsultation, { id: owner.consultation.id, note: 'My line is bad' })
  await world.runDue()
  await world.runDue()
  expect(await refundsOf(owner.charge.id)).toEqual([])
  expect((await consultationOf(owner.consultation.id)).freeSince).toBeNull()
})

it('a consult that waits for a vet is refunded only up to what is left of its charge [CON-11]', async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  await admin.call(refundCharge, { id: owner.charge.id, amount: 50_00, reason: 'A slow page' })
  await owner.call(cancelConsultation, { id: owner.consultation.id })
  await world.runDue()
  expect((await atProvider(owner.charge.stripeId)).toSorted()).toEqual([400_00, 50_00])
})

it('a receipt is mailed with number, payer, amount, tax and a safe link back to the consult [BUY-11]', async () => {
  const guest = await payingGuest(world)
  const [receipt] = await world.mailsTo(guest.user.email, 'receipt')
  const number = `VC-${guest.charge.id}`
  expect(receipt!.subject).toBe(`Your tax invoice ${number}: R450`)
  expect(receipt!.text).toContain(`Tax invoice number ${number}.`)
  expect(receipt!.text).toContain('\nPaid by Thandi Mokoena\n')
  expect(receipt!.text).toContain('Text consult about Biscuit')
  expect(receipt!.text).toContain('VAT 15% included: R58.70')
  expect(receipt!.text).toContain(`\nSold by ${ENTITY}, VAT number 4000000000\n`)
  expect(receipt!.text).toContain('call +27\u00A021\u00A0555\u00A00100 or write to help@vetchat.example.')
  const link = `http://localhost/userVideo/${guest.user.publicId}/${guest.consultation.id}`
  expect(receipt!.text).toContain(`${link}?expires=`)
  await world.runDue()
  const all = await world.mailsTo(guest.user.email)
  expect(all.filter(({ template }) => template === 'receipt')).toHaveLength(1)
})

it('a receipt has no tax figure and is no tax invoice in a region without a named seller [BUY-11]', async () => {
  const guest = await payingGuest(world, 'au')
  const number = `VC-${guest.charge.id}`
  const [receipt] = await world.mailsTo(guest.user.email, 'receipt')
  expect(receipt!.subject).toBe(`Your receipt ${number}: $39.95`)
  expect(receipt!.text).toContain('\nGST 10% included\nSold by VetChat\n')
  expect(receipt!.text).toContain('http://au.localhost/userVideo/')
  const [listed] = await guest.call(listReceipts, {})
  expect(listed!.tax_invoice).toBe(false)
  const [page] = await pagesOf((await world.app.inject({ method: 'GET', url: listed!.url })).rawPayload)
  expect(page).toContain(`Receipt ${number}`)
  expect(page).not.toMatch(/tax invoice|ABN/i)
})

it('a receipt waits for two other documents, so that many requests for one hold nobody up [SAF-5]', async () => {
  const guest = await payingGuest(world)
  const [listed] = await guest.call(listReceipts, {})
  const { promise, resolve } = Promise.withResolvers<void>()
  const others = [1, 2].map(() => atOnce('documents', 2, () => promise))
  let isSent = false
  const file = world.app.inject(listed!.url).then(({ statusCode }) => {
    isSent = true
    return statusCode
  })
  await guest.call(listReceipts, {})
  expect(isSent).toBe(false)
  resolve()
  expect(await file).toBe(200)
  await Promise.all(others)
})

it('a receipt keeps the names it was mailed with, and so does its refund [BUY-11]', async () => {
  const owner = await payingOwner(world)
  await world.runDue()
  await owner.call(updateMe, { firstName: 'Nomsa', lastName: 'Dlamini', mobile: '082 123 4567' })
  await world.change(pets, owner.consultation.petId!, { name: 'Rooibos' })
  await owner.call(cancelConsultation, { id: owner.consultation.id })
  await world.runDue()
  const receipts = await owner.call(listReceipts, {})
  expect(receipts.map(({ kind, pet }) => [kind, pet])).toEqual([
    ['refund', 'Biscuit'],
    ['charge', 'Biscuit'],
  ])
  for (const { url } of receipts) {
    const [page] = await pagesOf((await world.app.inject({ method: 'GET', url })).rawPayload)
    expect(page).toContain('Biscuit')
    expect(page).toContain(nameOf(owner))
    expect(page).not.toMatch(/Nomsa|Rooibos/)
  }
  const [letter] = await world.mailsTo(owner.email, 'refund')
  expect(letter!.text).toContain(`\nPaid by ${owner.firstName} Mokoena`)
  expect(letter!.text).toContain('Hello Nomsa')
})

it('a receipt is a PDF at a signed address that expires [BUY-11]', async () => {
  const guest = await payingGuest(world)
  const [listed] = await guest.call(listReceipts, {})
  expect(listed!.tax_invoice).toBe(true)
  const get = (url: string) => world.app.inject({ method: 'GET', url })
  const file = await get(listed!.url)
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/pdf'])
  const [page] = await pagesOf(file.rawPayload)
  for (const part of [
    `Tax invoice VC-${guest.charge.id}`,
    'R450',
    `Paid by ${nameOf(guest.user)}`,
    'VAT number 4000000000',
    'VAT 15% included: R58.70',
    ENTITY,
    '+27 21 555 0100',
  ])
    expect(page).toContain(part)
  expect((await get(listed!.url)).rawPayload).toEqual(file.rawPayload)

  await guest.call(cancelConsultation, { id: guest.consultation.id })
  await world.runDue()
  const [refund] = await guest.call(listReceipts, {})
  expect(refund!.tax_invoice).toBe(false)
  const [refunded] = await pagesOf((await get(refund!.url)).rawPayload)
  for (const part of [
    `Credit note VC-${refund!.id}`,
    `Refund of Tax invoice VC-${guest.charge.id}`,
    'Reason Cancelled before a vet answered',
    `Refunded to ${nameOf(guest.user)}`,
  ])
    expect(refunded).toContain(part)

  const other = listed!.url.replace(`VC-${guest.charge.id}`, `VC-${guest.charge.id - 1}`)
  expect((await get(other)).statusCode).toBe(404)
  expect((await get(listed!.url.split('?')[0]!)).statusCode).toBe(404)
  world.advance({ days: 2 })
  expect((await get(listed!.url)).statusCode).toBe(404)
})

it('a receipt keeps the seller and tax number of the day that the money came in, and so does its refund [BUY-11]', async () => {
  const guest = await payingGuest(world, 'au')
  const { legalEntities, taxNumbers } = world.world.env
  Object.assign(legalEntities, { au: 'VetChat Pty Ltd, 1 Example Street' })
  Object.assign(taxNumbers, { au: '40000000000' })
  onTestFinished(() => {
    delete legalEntities.au
    delete taxNumbers.au
  })
  await guest.call(cancelConsultation, { id: guest.consultation.id })
  await world.runDue()
  const receipts = await guest.call(listReceipts, {})
  const pages = await Promise.all(
    receipts.map(async ({ url }) => pagesOf((await world.app.inject({ method: 'GET', url })).rawPayload)),
  )
  const number = `VC-${guest.charge.id}`
  expect(pages[0]![0]).toContain(`Refund of Receipt ${number}`)
  expect(pages[1]![0]).toContain(`Receipt ${number}`)
  expect(receipts[1]!.tax_invoice).toBe(false)
  expect(pages.join()).not.toMatch(/invoice|Adjustment|ABN|Example Street/i)
  const refund = (await world.mailsTo(guest.user.email)).find(({ template }) => template === 'refund')
  expect(refund!.text).toContain(`for receipt ${number}`)
  const { charge } = await paidFor(world, guest.user)
  expect(charge.seller).toMatchObject({ taxNumber: '40000000000', taxPercent: 10 })
})

it('a receipt is listed for the person who paid, and a guest sees only the receipts of their consult [BUY-11]', async () => {
  const guest = await payingGuest(world)
  await paidFor(world, guest.user)
  await guest.call(cancelConsultation, { id: guest.consultation.id })
  await world.runDue()
  const receipts = await guest.call(listReceipts, {})
  expect(receipts.map(({ kind, amount, paid_for, pet }) => ({ kind, amount, paid_for, pet }))).toEqual([
    { kind: 'refund', amount: -450_00, paid_for: 'textConsult', pet: 'Biscuit' },
    { kind: 'charge', amount: 450_00, paid_for: 'textConsult', pet: 'Biscuit' },
  ])
  expect(await (await world.owner()).call(listReceipts, {})).toEqual([])
  const owner = await payingOwner(world)
  expect((await owner.call(listReceipts, {})).map(({ number }) => number)).toEqual([`VC-${owner.charge.id}`])
})

it('an admin refunds a part, then the rest, never more, and keeps the reason [ADM-8]', async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  await (await world.vet()).call(takeConsultation, { id: owner.consultation.id })
  const { id } = owner.charge
  const entry = await admin.call(refundCharge, { id, amount: 100_00, reason: 'The video froze' })
  expect(entry).toMatchObject({ id, amount: 450_00, refunded: 100_00 })
  await world.runDue()

  const tooMuch = await admin.send(refundCharge, { id, amount: 350_01, reason: 'More' })
  expect([tooMuch.status, tooMuch.body.code, tooMuch.body.errors]).toEqual([
    409,
    'REFUND_TOO_MUCH',
    ['Only R350 of this payment can still be refunded.'],
  ])
  expect((tooMuch.body as { current?: unknown }).current).toMatchObject({
    id,
    refunded: 100_00,
    last: { amount: 100_00, by: `${admin.firstName} ${admin.lastName}` },
  })
  await admin.call(refundCharge, { id, reason: 'All of it after all' })
  await world.runDue()
  expect(await admin.refusal(refundCharge, { id, reason: 'Again' })).toBe('REFUND_NOTHING_LEFT')
  expect((await entriesOf(id)).map(({ amount }) => amount)).toEqual([-100_00, -350_00])

  const written = await world.rows(auditLog, { subject: 'charge', subjectId: String(id) })
  expect(written.map(({ userId, action, reason }) => ({ userId, action, reason }))).toEqual([
    { userId: admin.id, action: 'refunded', reason: 'The video froze' },
    { userId: admin.id, action: 'refunded', reason: 'All of it after all' },
  ])
  const sent = await world.mailsTo(owner.email, 'refund')
  expect(sent.map(({ subject }) => subject)).toEqual(['Your refund of R100', 'Your refund of R350'])
  expect(sent[0]!.text).toContain('Reason: The video froze')
})

it('an admin needs a reason, and can refund neither zero nor an unknown charge [ADM-8]', async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  const { id } = owner.charge
  const bare = await admin.send(refundCharge, { id, reason: ' ' })
  expect(bare.body.errors).toContain('Please give a reason for the refund.')
  expect((await admin.send(refundCharge, { id, amount: 0, reason: 'None' })).status).toBe(400)
  expect((await admin.send(refundCharge, { id: 2_000_000_000, reason: 'None' })).status).toBe(404)
  expect(await refundsOf(id)).toEqual([])
})

it('an admin refunds once with the same key, and that key for anything else is refused [ADM-8]', async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  const { id } = owner.charge
  const key = { 'idempotency-key': 'one-press' }
  const press = (input: object) => admin.send(refundCharge, { id, reason: 'Sorry', ...input }, key)
  expect((await press({ amount: 50_00 })).status).toBe(200)
  expect((await press({ amount: 50_00 })).status).toBe(200)
  expect((await press({ amount: 60_00 })).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
  await world.runDue()
  expect((await press({ amount: 50_00 })).status).toBe(200)
  await world.runDue()
  expect(await atProvider(owner.charge.stripeId)).toEqual([50_00])
})

it('an admin finds charges and refunds by email and by number, page by page [ADM-8]', async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  const { id } = owner.charge
  await admin.call(refundCharge, { id, amount: 10_00, reason: 'Sorry' })
  await world.runDue()
  const [refund] = await entriesOf(id)
  const found = async (q: string) =>
    (await admin.call(listLedger, { q })).entries.map((one) => [one.id, one.amount, one.refunded])
  const both = [
    [refund!.id, -10_00, 0],
    [id, 450_00, 10_00],
  ]
  expect(await found(`VC-${id}`)).toEqual(both)
  expect(await found(owner.email.toUpperCase())).toEqual(both)
  expect(await found('nobody@example.com')).toEqual([])
  // By amount, in either direction, and by the beginning of a name.
  expect((await found('R10')).map(([one]) => one)).toContain(refund!.id)
  expect((await found('450.00')).map(([one]) => one)).toContain(id)
  expect(await found('99999999999')).toEqual([])
  await world.change(users, owner.id, { lastName: 'Zwelithini' })
  expect(await found('zwelith')).toEqual(both)
  expect(await found(`${owner.firstName} Zwe`)).toEqual(both)
  expect((await admin.call(listLedger, { q: 'zwelith' })).only_some).toBe(false)
  await world.db.insert(users).values(
    Array.from({ length: 201 }, (_, n) => ({
      publicId: `many${n}`,
      email: `many${n}@example.com`,
      lastName: 'Manyati',
      region: 'za' as const,
    })),
  )
  expect(await admin.call(listLedger, { q: 'manya' })).toEqual({ entries: [], next: null, only_some: true })
  const { entries, next } = await admin.call(listLedger, { cursor: String(refund!.id) })
  expect([entries[0]!.id < refund!.id, next]).toEqual([true, null])
})

it('an admin sees refunds that failed, and notes once that one was paid by hand, which settles it [ADM-8]', async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  const { id } = owner.charge
  const reason = 'The video froze'
  const failed = await world.add(refunds, {
    chargeId: id,
    amount: 100_00,
    why: 'by_us',
    reason,
    byUserId: admin.id,
    idempotencyKey: 'failed',
  })
  const listed = async () => (await admin.call(listFailedRefunds, {})).refunds
  expect(await listed()).toMatchObject([
    { id: failed.id, amount: 100_00, came_back: 'refused', reason, charge: { id, refunded: 0 } },
  ])
  await admin.call(refundCharge, { id, amount: 99_99, reason: 'Part of it' })
  expect((await listed()).map((one) => one.id)).toEqual([failed.id])
  const paid = { id: failed.id, how: 'By bank transfer' }
  const twice = await Promise.all([admin.send(payRefundByHand, paid), admin.send(payRefundByHand, paid)])
  expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await listed()).toEqual([])
  expect((await admin.call(listLedger, { q: `VC-${id}` })).entries[0]).toMatchObject({ refunded: 199_99 })
  const [bought] = (await admin.call(openPerson, { id: owner.id })).purchases
  expect(bought!.refunds.map(({ amount, state }) => [amount, state])).toEqual([
    [100_00, 'by_hand'],
    [99_99, 'on_its_way'],
  ])
  expect(await admin.refusal(refundCharge, { id, amount: 250_02, reason: 'More' })).toBe('REFUND_TOO_MUCH')
  expect((await admin.send(payRefundByHand, { id: 2_000_000_000, how: 'x' })).status).toBe(404)
})

it('an admin sees purchases that are unfinished after ten minutes, and retries one straight away [ADM-8]', async () => {
  const admin = await world.admin()
  const later = addHours(world.now(), 1)
  const stuck = await purchaseOf(world, { state: 'paid', paidAt: world.now(), dueAt: later })
  const listed = async () => (await admin.call(listUnfinished, {})).purchases.map((one) => one.id)
  expect(await listed()).not.toContain(stuck.id)
  world.advance({ minutes: 11 })
  expect(await listed()).toContain(stuck.id)
  await admin.call(finishPurchase, { id: stuck.id })
  const [row] = await world.rows(purchases, { id: stuck.id })
  expect(row!.dueAt!.getTime()).toBeLessThan(later.getTime())
  const done = await purchaseOf(world, { state: 'refused' })
  expect((await admin.send(finishPurchase, { id: done.id })).status).toBe(404)
  await world.db.delete(purchases).where(eq(purchases.id, stuck.id))
})

const begun = async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  await admin.call(refundCharge, { id: owner.charge.id, reason: 'Sorry' })
  return owner
}

it('a refund under way is sent again until the provider answers, with growing pauses [ADM-8]', async () => {
  const { charge } = await begun()
  await world.arm('error500', REFUNDS, 6)
  await world.runDue()
  expect(await entriesOf(charge.id)).toEqual([])
  await world.runDue()
  expect((await refundsOf(charge.id))[0]!.attempts).toBe(1)
  await world.arm('error500', REFUNDS, 0)
  await world.pass({ minutes: 1 })
  expect(await atProvider(charge.stripeId)).toEqual([450_00])
  expect(await entriesOf(charge.id)).toHaveLength(1)
})

it('a refund under way whose answer is lost is recorded once, even if the event and a later run record it too [ADM-8]', async () => {
  const { charge } = await begun()
  await world.arm('lostAnswer', REFUNDS, 9)
  await world.arm('duplicateEvents', 'refund.created')
  await world.runDue()
  await world.arm('lostAnswer', REFUNDS, 0)
  await world.pass({ days: 2 })
  expect(await atProvider(charge.stripeId)).toEqual([450_00])
  expect(await entriesOf(charge.id)).toHaveLength(1)
  expect((await refundsOf(charge.id))[0]).toMatchObject({ dueAt: null })
  expect((await refundsOf(charge.id))[0]!.doneAt).not.toBeNull()
})

it('a refund under way that the provider refuses stops, and money refunded elsewhere counts [ADM-8, SUB-5]', async () => {
  const { charge } = await begun()
  const elsewhere = { intent: charge.stripeId, amount: 450_00, why: 'elsewhere', refund: 0 }
  await world.world.payments.refund(elsewhere, 'made at the provider')
  await world.runDue()
  expect(await atProvider(charge.stripeId)).toEqual([450_00])
  expect((await entriesOf(charge.id)).map(({ amount }) => amount)).toEqual([-450_00])
})

it('an event of the provider about a refund made elsewhere makes one ledger entry [SUB-5]', async () => {
  const [owner, admin] = [await payingOwner(world), await world.admin()]
  const { charge } = owner
  await world.arm('duplicateEvents', 'refund.created')
  await world.arm('duplicateEvents', 'charge.refunded')
  const part = { intent: charge.stripeId, amount: 150_00, why: 'elsewhere', refund: 0 }
  await world.world.payments.refund(part, `elsewhere ${charge.id}`)
  await world.runDue()
  expect((await entriesOf(charge.id)).map(({ amount }) => amount)).toEqual([-150_00])
  expect(await admin.refusal(refundCharge, { id: charge.id, amount: 300_01, reason: 'More' })).toBe(
    'REFUND_TOO_MUCH',
  )
  const sent = await world.mailsTo(owner.email, 'refund')
  expect(sent.map(({ subject }) => subject)).toEqual(['Your refund of R150'])
})

it('an event of the provider about a renewal makes one ledger entry, with its receipt [SUB-5]', async () => {
  const member = await world.memberWithCard({ plan: 'monthly' })
  await world.arm('duplicateEvents', 'invoice.paid')
  const due = world.now()
  due.setUTCMonth(due.getUTCMonth() + 1)
  await world.pass({ hours: 1, seconds: Math.round((due.getTime() - world.now().getTime()) / 1000) })
  const again = world.nobody.with(await world.signIn(member.id))
  const renewals = (await again.call(listReceipts, {})).filter(({ paid_for }) => paid_for.endsWith('Renewal'))
  expect(renewals.map(({ amount, paid_for }) => ({ amount, paid_for }))).toEqual([
    { amount: 200_00, paid_for: 'monthlyRenewal' },
  ])
  const sent = (await world.mailsTo(member.email)).filter(({ subject }) => subject.includes('R200'))
  expect(sent.filter(({ template }) => template === 'receipt')).toHaveLength(1)
})

it('a charge stays in the ledger when its buyer deletes their account', async () => {
  const owner = await payingOwner(world)
  await world.change(users, owner.id, { deletedAt: world.now() })
  await world.runDue()
  const admin = await world.admin()
  expect((await admin.call(listLedger, { q: String(owner.charge.id) })).entries).toHaveLength(1)
})
