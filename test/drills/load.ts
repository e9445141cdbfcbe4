import { readFileSync } from 'node:fs'
import { type HumanAction, type HumanChallenge } from '#contract/human.ts'
import { REGIONS } from '#contract/regions.ts'
import { solutionOf } from '#test/joining.ts'

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until it holds, or until time runs out, and says whether it holds. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { every = 20, within = Infinity } = {},
): Promise<boolean> {
  const late = performance.now() + within
  while (!(await holds())) {
    if (performance.now() > late) return false
    await pause(every)
  }
  return true
}

export function percentile(figures: number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** How long most took, nearly all, and the slowest, in whole milliseconds. */
export const spread = (figures: number[]) => ({
  p50: Math.round(percentile(figures, 0.5)),
  p95: Math.round(percentile(figures, 0.95)),
  max: Math.round(Math.max(...figures)),
})

/** From now on, the share of its busy time that a process waits for a processor. Linux only. */
export function starvation(pid: number): () => number {
  const times = () =>
    readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number) as [number, number]
  const [ranBefore, waitedBefore] = times()
  return () => {
    const [ran, waited] = times()
    return (waited - waitedBefore) / (ran - ranBefore + waited - waitedBefore)
  }
}

/** Posts to the API. */
export const postWith = (
  url: string,
  path: string,
  body: object = {},
  headers: Record<string, string> = {},
) =>
  fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Posts from another address: the server trusts this machine's forwarding header. */
export const post = (url: string, path: string, body: object, address = '127.0.0.1') =>
  postWith(url, path, body, { 'x-forwarded-for': address })

const signed = (token: string) => ({ authorization: `Bearer ${token}` })
export const postAs = (url: string, token: string, path: string, body?: object) =>
  postWith(url, path, body, signed(token))
export const getAs = (url: string, token: string, path: string) =>
  fetch(`${url}/api${path}`, { headers: signed(token) })

/** The sandbox answers only this machine, and only without a forwarding header. */
export const askSandbox = (url: string, what: 'faults' | 'clock', body: object) =>
  postWith(url, `/sandbox/${what}`, body)

/** Sends a file into a consultation. */
export function sendFile(
  url: string,
  token: string,
  { consultation, clientId, file }: { consultation: number; clientId: string; file: File },
  headers: Record<string, string> = {},
) {
  const form = new FormData()
  form.set('client_id', clientId)
  form.set('file', file)
  return fetch(`${url}/api/consultation/${consultation}/attachments`, {
    method: 'POST',
    headers: { ...signed(token), ...headers },
    body: form,
  })
}

type Buyer = ReturnType<typeof buyerOf>
export const buyerOf = (lastName: string, email: string) => ({
  firstName: 'Drill',
  lastName,
  email,
  mobile: '082 000 0000',
})

/** A text consult, paid with a card that is accepted. */
export const orderOf = (user: Buyer, change: object = {}) => ({
  card: { token: 'tok_visa' },
  amount: REGIONS.za.prices.consult,
  currency: 'zar',
  consult: 1,
  user,
  ...change,
})
export const ABOUT = { name: 'Rex', pet_species: 3, query: 'Not well', emailSubscription: false }

/** What the page sends after paying. */
export const begunWith = (user: Buyer, purchase: string | undefined) => ({
  ...user,
  ...ABOUT,
  purchase,
  customer_id: 'cus_drill',
  consult_type: 1,
})

export const statusOf = async (url: string, token: string) => (await getAs(url, token, '/user/me')).status

/** Repeats it until the returned function is called. */
export function repeating(work: () => Promise<unknown>) {
  const over = new AbortController()
  const done = (async () => {
    while (!over.signal.aborted) await work()
  })()
  return () => {
    over.abort()
    return done
  }
}

/** An ordinary visitor who calls every 50 ms. Records how long each call takes. */
export function visitor(url: string) {
  const took: number[] = []
  let failures = 0
  const end = repeating(async () => {
    const began = performance.now()
    const answer = await fetch(`${url}/api/health`).then(
      (reply) => reply.arrayBuffer().then(() => reply.ok),
      () => false,
    )
    took.push(performance.now() - began)
    if (!answer) failures++
    await pause(50)
  })
  return {
    async stop() {
      await end()
      return { p99: Math.round(percentile(took, 0.99)), failures, calls: took.length }
    },
  }
}

/** What a page sends after solving the human check. */
export async function solved(url: string, action: HumanAction) {
  const challenge = (await (await fetch(`${url}/api/human?action=${action}`)).json()) as HumanChallenge
  return btoa(JSON.stringify({ challenge, solution: solutionOf(challenge) }))
}

/** What these answers have in common. */
interface Said {
  status?: string
  purchase?: string
  human?: HumanAction
}

/**
 * Asks until there is an answer that isn't a fault or "still under way", as the pages do, through faults and kills. Solves
 * the human check when asked.
 */
export async function insist<Answer extends object>(
  where: () => { url: string },
  path: string,
  body: object,
  headers: Record<string, string>,
): Promise<{ status: number; body: Answer }> {
  const sent: Record<string, unknown> = { ...body }
  for (;;) {
    try {
      const answer = await postWith(where().url, path, sent, headers)
      const isJson = answer.headers.get('content-type')?.includes('json')
      const said = (isJson ? await answer.json() : {}) as Said
      if (said.human) {
        sent.userConfirmation = await solved(where().url, said.human)
        continue
      }
      if (answer.status < 500 && said.status !== 'processing')
        return { status: answer.status, body: said as Answer }
      if (said.status === 'processing') sent.purchase = said.purchase
    } catch {
      // The product was killed or is restarting.
    }
    await pause(200)
  }
}
