import * as z from 'zod'
import { beforeEach, expect, it, vi } from 'vitest'
import { call } from '#contract/call.ts'
import { challengeOf, sampleToken } from '#test/samples.ts'
import { adviceOn, api, type ApiError, failed } from './api.ts'
import { watchLeaving } from '../test/leaving.ts'
import { signIn, signOut } from './session.ts'

const plain = { summary: '', access: ['owner'], output: z.object({ id: z.number() }) } as const
const readPet = call('GET', '/pet/:id', {
  ...plain,
  input: z.object({ id: z.number(), full: z.boolean().optional() }),
})
const addPet = call('POST', '/pet', { ...plain, input: z.object({ name: z.string() }) })
const addPicture = call('POST', '/pet/:id/picture', {
  ...plain,
  input: z.object({ id: z.number(), note: z.string(), file: z.any() }),
  output: z.any(),
  upload: { maxBytes: 1000 },
})

interface Sent {
  url: string
  method: string
  headers: Headers
  body: unknown
}
let sent: Sent[]

function answers(...responses: (Response | Error)[]) {
  sent = []
  vi.stubGlobal('fetch', async (url: string, { method, headers, body }: RequestInit) => {
    sent.push({ url, method: method!, headers: new Headers(headers), body })
    const response = responses.length > 1 ? responses.shift()! : responses[0]!
    if (response instanceof Error) throw response
    return response.clone()
  })
}
const json = (body: unknown, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const failure = (run: Promise<unknown>) =>
  run.then(
    () => expect.unreachable(),
    (error: unknown) => error as ApiError,
  )

let given: Awaited<ReturnType<typeof challengeOf>>
beforeEach(async () => {
  given = await challengeOf(42)
  signOut()
  document.documentElement.dataset.region = 'za'
})

it('a call that needs the human check solves it and is sent again, twice at most [SAF-5]', async () => {
  const asks = () => json({ errors: ['Wait'], code: 'TOO_MANY_TRIES', human: 'try_again' }, 429)
  const challenge = () => json(given)
  answers(asks(), challenge(), json({ id: 7 }))
  expect(await api(addPet, { name: 'Rex' })).toEqual({ id: 7 })
  expect(sent.map(({ url }) => url)).toEqual(['/api/pet', '/api/human?action=try_again', '/api/pet'])
  const body = JSON.parse(sent[2]!.body as string) as { name: string; userConfirmation: string }
  expect(body.name).toBe('Rex')
  expect(JSON.parse(atob(body.userConfirmation))).toMatchObject({ solution: { counter: 42 } })
  answers(asks(), challenge(), asks(), challenge(), asks())
  expect((await failure(api(addPet, { name: 'Rex' }))).status).toBe(429)
  expect(sent).toHaveLength(5)
})

it("[SHL-9] a call goes to /api on the page's own host, with the region and the stored token", async () => {
  answers(json({ id: 7 }))
  signIn(sampleToken(600), true)
  expect(await api(readPet, { id: 7, full: true })).toEqual({ id: 7 })
  expect(sent[0]).toMatchObject({ url: '/api/pet/7?full=true', method: 'GET' })
  expect(sent[0]!.headers.get('app_module')).toBe('vetchat-za')
  expect(sent[0]!.headers.get('authorization')).toBe(`Bearer ${localStorage.getItem('token')}`)
  document.documentElement.dataset.region = 'au'
  localStorage.removeItem('token')
  await api(readPet, { id: 7 })
  expect(sent[1]!.headers.get('app_module')).toBe('vetchat-au')
  expect(sent[1]!.headers.has('authorization')).toBe(false)
})

it('a call sends a body as JSON, with the key that makes a retry harmless', async () => {
  answers(json({ id: 7 }))
  await api(addPet, { name: 'Rex' }, { idempotencyKey: 'k1' })
  expect(sent[0]).toMatchObject({ url: '/api/pet', body: '{"name":"Rex"}' })
  expect(sent[0]!.headers.get('content-type')).toBe('application/json')
  expect(sent[0]!.headers.get('idempotency-key')).toBe('k1')
})

it('a call sends files as a form', async () => {
  answers(json({}))
  await api(addPicture, { id: 3, note: 'left ear', file: new File(['x'], 'ear.jpg', { type: 'image/jpeg' }) })
  const form = sent[0]!.body as FormData
  expect(form.get('note')).toBe('left ear')
  expect((form.get('file') as File).name).toBe('ear.jpg')
  expect(sent[0]!.headers.has('content-type')).toBe(false)
})

it('a call stores a renewed token', async () => {
  answers(json({ id: 7 }, 200, { 'x-vetchat-token': sampleToken(9000) }))
  const old = sampleToken(600)
  signIn(old, true)
  await api(readPet, { id: 7 })
  expect(localStorage.getItem('token')).not.toBe(old)
})

it('[SHL-11] a consultation that the main token may not see is tried with its own token', async () => {
  answers(json({ errors: ['We couldn’t find that.'] }, 404), json({ id: 7 }))
  signIn(sampleToken(600), true)
  localStorage.setItem('singleToken', sampleToken(700))
  expect(await api(readPet, { id: 7 }, { consultation: 7 })).toEqual({ id: 7 })
  expect(sent.map(({ headers }) => headers.get('authorization')!.slice(7))).toEqual([
    localStorage.getItem('token'),
    localStorage.getItem('singleToken'),
  ])
})

it('[SHL-11] without a main token, calls about a consultation use its own token', async () => {
  answers(json({ id: 7 }))
  localStorage.setItem('singleToken', sampleToken(700))
  await api(readPet, { id: 7 }, { consultation: 7 })
  await api(readPet, { id: 7 })
  expect(sent[0]!.headers.get('authorization')).toBe(`Bearer ${localStorage.getItem('singleToken')}`)
  expect(sent[1]!.headers.has('authorization')).toBe(false)
})

it('[SHL-12] no response reads "An Error Occurred"', async () => {
  answers(new TypeError('Failed to fetch'))
  const error = await failure(api(addPet, { name: 'Rex' }))
  expect(error.status).toBe(0)
  expect(failed(error)).toBe('An Error Occurred')
  expect(adviceOn(error)).toBe('We couldn’t reach VetChat. Check your connection and try again.')
})

it('[SHL-12] a network that answers with its own page counts as no response', async () => {
  answers(new Response('<h1>Welcome to our Wi-Fi</h1>', { status: 200 }))
  expect((await failure(api(addPet, { name: 'Rex' }))).status).toBe(0)
})

it('a call that takes too long counts as no response', async () => {
  vi.stubGlobal(
    'fetch',
    (_url: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
      ),
  )
  expect((await failure(api(readPet, { id: 7 }, { timeout: 20 }))).status).toBe(0)
})

it('[SHL-12] an errors list reads as its messages joined by newlines', async () => {
  answers(
    json(
      { errors: ['Name is empty', 'Age is empty'], code: 'INVALID_INPUT', fields: { name: 'Name is empty' } },
      400,
    ),
  )
  const error = await failure(api(addPet, { name: '' }))
  expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT', fields: { name: 'Name is empty' } })
  expect(failed(error)).toBe('Name is empty\nAge is empty')
})

it('[SHL-12] anything else reads "An Error Occurred"', async () => {
  answers(new Response('<h1>Bad gateway</h1>', { status: 502 }))
  const error = await failure(api(addPet, { name: 'Rex' }))
  expect(failed(error)).toBe('An Error Occurred')
  expect(adviceOn(error)).toBe('Something went wrong on our side. Please try again in a minute.')
})

it('[SHL-12, SAF-1] the body "Unauthorized" ends the session but not a guest’s consult, and leads to /login and back', async () => {
  answers(new Response('Unauthorized', { status: 401 }))
  signIn(sampleToken(600), true)
  const guests = sampleToken(700)
  localStorage.setItem('singleToken', guests)
  history.replaceState(null, '', '/myaccount?promo=intro-20#pets')
  const left = watchLeaving()
  expect(failed(await failure(api(readPet, { id: 7 })))).toBe('Please login')
  expect(left).toEqual(['/login?from=%2Fmyaccount%3Fpromo%3Dintro-20%23pets'])
  expect(localStorage.getItem('token')).toBeNull()
  expect(localStorage.getItem('singleToken')).toBe(guests)
  expect(localStorage.getItem('promo')).toBe('intro-20')
})

it('[SHL-12, BUY-9] without the session, a room stays open for as long as a guest’s token opens it', async () => {
  answers(new Response('Unauthorized', { status: 401 }))
  signIn(sampleToken(600), true)
  localStorage.setItem('singleToken:7', sampleToken(700))
  history.replaceState(null, '', '/text-chat/7')
  const left = watchLeaving()
  expect(failed(await failure(api(readPet, { id: 7 })))).toBe('Please login')
  expect([localStorage.getItem('token'), left]).toEqual([null, []])
  expect(failed(await failure(api(readPet, { id: 7 }, { consultation: 7 })))).toBe('Please login')
  expect(left).toEqual(['/login?from=%2Ftext-chat%2F7'])
})

it.each([
  ['a token of another kind', (main: string) => ({ sent: { token: 'clinic' }, now: main })],
  ['the token of one consultation', (main: string) => ({ sent: { consultation: 7 }, now: main })],
  ['a session that was here before', () => ({ sent: {}, now: sampleToken(900) })],
])('[SHL-12] a refusal of %s leaves the session alone', async (_name, of) => {
  const main = sampleToken(600)
  const { sent, now } = of(main)
  vi.stubGlobal('fetch', async () => {
    if (now !== main) localStorage.setItem('token', now)
    return new Response('Unauthorized', { status: 401 })
  })
  signIn(main, true)
  localStorage.setItem('singleToken', sampleToken(700))
  const left = watchLeaving()
  const error = await failure(api(readPet, { id: 7 }, sent))
  expect(failed(error)).toBe('Please login')
  expect(left).toEqual([])
  expect(localStorage.getItem('token')).toBe(now)
})

it('[SHL-12] a 401 that carries an errors list never redirects', async () => {
  answers(json({ errors: ['Sorry, we don’t recognise your details.'] }, 401))
  signIn(sampleToken(600), true)
  const left = watchLeaving()
  expect(failed(await failure(api(addPet, { name: 'Rex' })))).toBe('Sorry, we don’t recognise your details.')
  expect(left).toEqual([])
  expect(localStorage.getItem('token')).not.toBeNull()
})

it('unchanged data is not sent again and stays the same object [VET-3]', async () => {
  const unchanged = new Response(null, { status: 304 })
  signIn(sampleToken(600), true)
  answers(
    json({ id: 8 }, 200, { etag: 'W/"1"' }),
    unchanged,
    json({ id: 9 }, 200, { etag: 'W/"2"' }),
    unchanged,
  )
  const first = await api(readPet, { id: 8 })
  expect(await api(readPet, { id: 8 })).toBe(first)
  expect(await api(readPet, { id: 8 })).toEqual({ id: 9 })
  expect(await api(readPet, { id: 8 })).toEqual({ id: 9 })
  expect(sent.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, 'W/"1"', 'W/"1"', 'W/"2"'])
  answers(json({ id: 8 }))
  signIn(sampleToken(700), true)
  await api(readPet, { id: 8 })
  await api(readPet, { id: 7 })
  expect(sent.map(({ headers }) => headers.has('if-none-match'))).toEqual([false, false])
})
