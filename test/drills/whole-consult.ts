import { randomUUID } from 'node:crypto'
import { ABOUT, begunWith, buyerOf, insist, orderOf, until } from './load.ts'
import { openTalker } from './talker.ts'

const MESSAGES = 20
const NOTE = {
  history: 'Ate half a slab of dark chocolate an hour ago.',
  findings: 'Bright, gums pink, drinks.',
  assessment: 'Below the dose that harms a dog of this weight.',
  summary: 'Biscuit ate too little of it to come to harm.',
  plan: 'Water, a small plain supper, and rest.',
  watch_for: 'Vomiting, restlessness or a racing heart.',
  go_if: 'He trembles, or vomits more than twice.',
  outcome: 'home',
}

interface Guest {
  url: string
  /** Unique: the buyer's email and network address are made from it. */
  n: number
  vet: { token: string }
}

/** Pays for a consult through all faults. Returns null if the card was declined. */
export async function buyConsult({ url, n }: Omit<Guest, 'vet'>) {
  const address = { 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }
  const user = buyerOf(`Number ${n}`, `whole${n}@example.com`)
  const where = () => ({ url })
  const paid = await insist<{ status?: string; purchase?: string }>(
    where,
    '/pay',
    orderOf(user, { details: ABOUT }),
    { ...address, 'idempotency-key': randomUUID() },
  )
  if (paid.body.status !== 'succeeded') return null
  const begun = await insist<{ consultation: { id: number }; token: string }>(
    where,
    '/user/newUserConsultation',
    begunWith(user, paid.body.purchase),
    address,
  )
  if (begun.status !== 200) throw new Error(`A paid consult doesn’t begin: ${JSON.stringify(begun)}`)
  return { consultation: begun.body.consultation.id, token: begun.body.token }
}

/** One text consult as the pages have it: bought, taken by a vet, twenty messages, the note, signed and ended. */
export async function wholeConsult({ url, n, vet }: Guest) {
  const guest = await buyConsult({ url, n })
  if (!guest) throw new Error('The card was declined')
  const { consultation, token } = guest
  const asVet = async <Answer extends object>(path: string, body: object = {}) => {
    const headers = { authorization: `Bearer ${vet.token}` }
    const { status, body: said } = await insist<Answer>(
      () => ({ url }),
      `/consultation/${consultation}${path}`,
      body,
      headers,
    )
    // A 409 means that a killed instance did it before it could answer.
    if (status !== 200 && status !== 409) throw new Error(`${path}: ${status} ${JSON.stringify(said)}`)
    return said
  }
  await asVet('/take')
  const talkers = [token, vet.token].map((of) => openTalker({ url, token: of, consultation }))
  await until(() => talkers.every((one) => one.isJoined()))
  for (let at = 0; at < MESSAGES; at++)
    await talkers[at % 2]!.sendMessage(`Number ${n} says ${at}: he drinks, and his gums are pink.`)
  const { version } = await asVet<{ version: number }>('/note', { version: 0, ...NOTE })
  await asVet('/end', { version })
  return { consultation, talkers }
}
