import http, { type RequestOptions } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it, vi } from 'vitest'
import { payForConsult } from '#contract/checkout.ts'
import { setDuty } from '#contract/queue.ts'
import { purchases } from '#server/db/schema.ts'
import { portOf } from '#test/port-of.ts'
import { order } from '#test/shop.ts'
import { createWorld } from '#test/world.ts'
import { PaymentsOutOfReach } from './payments.ts'
import { answer } from './stripe-sandbox/api.ts'

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_ours',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_ours',
  STRIPE_WEBHOOK_SECRET: 'whsec_ours',
}
const world = await createWorld({ env: stripe })
const { payments } = world.world

/** The sandbox as a machine of its own, behind a proxy that may answer instead of it. */
let rubbish: string | undefined
let asked = 0
const place = { db: world.db, now: world.now, secret: new Uint8Array(32) }
const provider = http.createServer(async (request, reply) => {
  asked++
  const { method = '', url: path = '', headers } = request
  const key = headers['idempotency-key'] as string | undefined
  const said = await answer(place, { method, path, body: await text(request), key, timeout: 1000 })
  reply.writeHead(rubbish === undefined ? said.status : 200, { 'content-type': 'application/json' })
  reply.end(rubbish ?? JSON.stringify(said.body))
})
const port = await portOf(provider)
const throughProxy = (options: RequestOptions) =>
  http.request({ ...options, host: '127.0.0.1', port, agent: undefined })
vi.spyOn(https, 'request').mockImplementation(throughProxy as typeof https.request)
afterAll(() => void provider.close())

it.each(['"OK"', '{}', '[]', '{"status":"ok"}', 'null', '', '<html></html>'])(
  'an answer of %s counts as none: nothing is lost, repeated without end, charged or refunded twice [BUY-9]',
  async (said) => {
    await (await world.vet()).call(setDuty, { on: true })
    const sent = order()
    asked = 0
    rubbish = said
    const paying = await world.nobody.send(payForConsult, sent)
    expect([paying.status, paying.body.status, asked]).toEqual([200, 'processing', 1])
    await expect(payments.createCustomer({ email: 'a@b.example', name: 'A' }, said)).rejects.toThrow(
      PaymentsOutOfReach,
    )
    rubbish = undefined
    const paid = await world.nobody.send(payForConsult, sent)
    expect([paid.status, paid.body.status]).toEqual([200, 'succeeded'])
    const [purchase] = await world.rows(purchases, { email: sent.user.email })
    const intent = purchase!.stripeIntent!
    rubbish = said
    const refund = { intent, amount: 45_000, why: 'late', refund: 1 }
    await expect(payments.refund(refund, `refund ${intent}`)).rejects.toThrow(PaymentsOutOfReach)
    rubbish = undefined
    expect(await payments.refund(refund, `refund ${intent}`)).toMatchObject({ state: 'done' })
    expect(await payments.refundsOf(intent)).toHaveLength(1)
  },
)
