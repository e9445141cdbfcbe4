import type { Pool } from 'pg'
import { until } from './load.ts'
import type { Talker } from './talker.ts'

/** How long messages may still be on their way after the last one was sent. */
const SETTLES_WITHIN = 15_000

export interface StoredMessage {
  consultation: number
  seq: number
  clientId: string
  body: string
}
type Heard = Pick<Talker, 'consultation' | 'written' | 'acknowledged'> & {
  shown: ReadonlyMap<number, { client_id: string }>
}

/** Compares what talkers were told and showed with what the database has. */
export function audit(stored: StoredMessage[], talkers: Heard[]) {
  const seqOf = new Map(stored.map(({ clientId, seq }) => [clientId, seq]))
  const bodies = new Set(stored.map(({ consultation, body }) => `${consultation} ${body}`))
  const found = { lost: 0, doubled: stored.length - bodies.size, outOfOrder: 0, unheard: 0, unfounded: 0 }
  for (const { consultation, written, acknowledged, shown } of talkers) {
    found.lost += acknowledged.filter(({ clientId, seq }) => seqOf.get(clientId) !== seq).length
    const inOrder = written.map((clientId) => seqOf.get(clientId)).filter((seq) => seq !== undefined)
    found.outOfOrder += inOrder.filter((seq, at) => at > 0 && seq < inOrder[at - 1]!).length
    const here = stored.filter((one) => one.consultation === consultation)
    found.unheard += here.filter(({ seq, clientId }) => shown.get(seq)?.client_id !== clientId).length
    found.unfounded += [...shown].filter(([seq, { client_id }]) => seqOf.get(client_id) !== seq).length
  }
  return found
}

/** Proves that the audit sees each kind of fault, by planting one at a time. */
export function auditSees(stored: StoredMessage[], talkers: Heard[]): boolean {
  const [first, ...others] = talkers
  const { clientId } = first!.acknowledged[0]!
  const next = first!.acknowledged[1]!
  const swapped = { [clientId]: next.seq, [next.clientId]: first!.acknowledged[0]!.seq }
  const oneLess = new Map([...first!.shown].slice(1))
  return (
    audit(
      stored.filter((one) => one.clientId !== clientId),
      talkers,
    ).lost === 1 &&
    audit([...stored, { ...stored[0]!, clientId: 'again', seq: 1e9 }], talkers).doubled === 1 &&
    audit(
      stored.map((one) => ({ ...one, seq: swapped[one.clientId] ?? one.seq })),
      talkers,
    ).outOfOrder > 0 &&
    audit(stored, [{ ...first!, shown: oneLess }, ...others]).unheard > 0
  )
}

async function storedIn(pool: Pool, talkers: Talker[]): Promise<StoredMessage[]> {
  const { rows } = await pool.query<StoredMessage>(
    `select consultation_id as consultation, seq, client_id as "clientId", body
     from messages where consultation_id = any($1) order by 1, 2`,
    [talkers.map(({ consultation }) => consultation)],
  )
  return rows
}

/** Waits until everybody shows what is stored, or until time runs out. */
export async function settled(pool: Pool, talkers: Talker[]): Promise<StoredMessage[]> {
  let stored: StoredMessage[] = []
  const allHeard = async () => audit((stored = await storedIn(pool, talkers)), talkers).unheard === 0
  await until(allHeard, { every: 100, within: SETTLES_WITHIN })
  return stored
}
