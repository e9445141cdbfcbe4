import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { tellAnalytics } from '#contract/analytics.ts'
import { portOf } from '#test/port-of.ts'
import { createWorld } from '#test/world.ts'

const arrived: { headers: object; body: string }[] = []
const sink = createServer(async (request, reply) => {
  let body = ''
  for await (const piece of request) body += piece
  arrived.push({ headers: request.headers, body })
  reply.end()
})
const port = await portOf(sink)
const world = await createWorld({ env: { ANALYTICS_URL: `http://127.0.0.1:${port}/count` } })
afterAll(() => sink.close())

it('the server forwards a count without anything about the visitor [SHL-14]', async () => {
  const count = {
    event: 'purchase',
    path: '/upgrade',
    item: 'membership',
    item_name: 'annually',
    value: 200_000,
    currency: 'zar',
  } as const
  await world.nobody.from('203.0.113.77').call(tellAnalytics, count)
  await expect.poll(() => arrived.length).toBe(1)
  expect(JSON.parse(arrived[0]!.body)).toEqual({ ...count, region: 'za', at: expect.any(String) })
  expect(JSON.stringify(arrived[0])).not.toContain('203.0.113.77')
})

it.each([
  { event: 'other', path: '/' },
  { event: 'page', path: '/resetpwd/co.de=1' },
  { event: 'page', path: '//elsewhere.example' },
  { event: 'page', path: '/?token=x' },
])('%o is refused and not forwarded [SHL-14]', async (count) => {
  expect((await world.nobody.send(tellAnalytics, count)).status).toBe(400)
  expect(arrived).toHaveLength(1)
})
