import { randomUUID } from 'node:crypto'
import { io } from 'socket.io-client'
import type { Message } from '#contract/chat.ts'
import type { peopleIn } from './cluster.ts'
import { pause, repeating, until } from './load.ts'

/* The delays of the room's page and its socket. */
const AGAIN_MS = 5000
const PATIENCE_MS = 10_000
const FIRST_PAUSE_MS = 1000
const LAST_PAUSE_MS = 15_000
/** Refusals that may pass, so the talker tries again. */
const LATER = /"code":"(UNEXPECTED|UNAVAILABLE|TOO_MANY_TRIES|TOO_SLOW)"/

interface Stored {
  seq: number
  at: string
}
type Answer<T> = { ok: T } | { code: string }

export type Talker = ReturnType<typeof openTalker>

/**
 * One side of a consultation, like the room's page: it sends each message until it is acknowledged, one after the
 * other, by socket or by call, and asks for what it missed. Without `resumes` it hears only new messages.
 */
export function openTalker({
  url,
  token,
  consultation,
  resumes = true,
}: {
  url: string
  token: string
  consultation: number
  resumes?: boolean
}) {
  const socket = io(url, {
    path: '/api/live',
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    forceNew: true,
    auth: { token },
  })
  const written: string[] = []
  const acknowledged: (Stored & { clientId: string })[] = []
  const shown = new Map<number, Message>()
  const rejoins: number[] = []
  let synced = resumes ? 0 : 2_147_483_647
  const end = new AbortController()
  const closed = () => end.signal.aborted
  let joined = false
  let lostAt: number | undefined = performance.now()
  let first = true

  function keep(messages: Message[]) {
    for (const one of messages) shown.set(one.seq, one)
  }
  async function ask<T>(event: string, input: object): Promise<T | undefined> {
    const answer: Answer<T> | undefined = await socket
      .timeout(PATIENCE_MS)
      .emitWithAck(event, input)
      .catch(() => undefined)
    if (answer === undefined || 'ok' in answer) return answer?.ok
    const said = JSON.stringify(answer)
    if (!LATER.test(said)) throw new Error(`${event} is refused: ${said}`)
    return undefined
  }

  let syncing = false
  let asked = false
  async function sync() {
    asked = true
    if (syncing) return
    syncing = true
    while (asked && socket.connected && !closed()) {
      asked = false
      if (await readMissing()) enter()
      else if (socket.connected) {
        await pause(FIRST_PAUSE_MS)
        asked = true
      }
    }
    syncing = false
  }
  async function readMissing() {
    for (;;) {
      const page = await ask<{ messages: Message[]; more: boolean }>('joinRoom', {
        consultation,
        after: synced,
      })
      if (!page) return false
      keep(page.messages)
      synced = page.messages.at(-1)?.seq ?? synced
      if (!page.more) return true
    }
  }
  function enter() {
    if (!socket.connected) return
    joined = true
    if (lostAt !== undefined && !first) rejoins.push(performance.now() - lostAt)
    first = false
    lostAt = undefined
  }
  /** The server may skip numbers, so check a gap before reporting it. */
  function heardUpTo(seq: number) {
    if (seq === synced + 1) synced = seq
    else if (seq > synced) void sync()
  }

  const again = () => void setTimeout(() => closed() || socket.connect(), AGAIN_MS * (1 + Math.random()))
  socket.on('connect', () => void sync())
  socket.on('disconnect', (reason) => {
    joined = false
    lostAt ??= performance.now()
    if (reason === 'io server disconnect') again()
  })
  socket.on('connect_error', () => void (socket.active || again()))
  socket.on('messageSaid', ({ message }: { message: Message }) => {
    keep([message])
    heardUpTo(message.seq)
  })

  async function byCall(message: object) {
    const answer = await fetch(`${url}/api/consultation/${consultation}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(15_000),
    }).catch(() => undefined)
    if (answer?.ok) return (await answer.json().catch(() => undefined)) as Stored | undefined
    if (answer && answer.status < 500) throw new Error(`${answer.status} ${await answer.text()}`)
    return undefined
  }

  return {
    consultation,
    written,
    acknowledged,
    shown,
    /** How long each recovery took, from the lost connection until all missed messages were read. */
    rejoins,
    isJoined: () => joined,
    /** Resolves once the server has stored it. */
    async sendMessage(body: string) {
      const clientId = randomUUID()
      const message = { consultation, client_id: clientId, body }
      written.push(clientId)
      for (let wait = FIRST_PAUSE_MS; !closed(); wait = Math.min(wait * 2, LAST_PAUSE_MS)) {
        const stored = (joined && (await ask<Stored>('sendMessage', message))) || (await byCall(message))
        if (stored) {
          acknowledged.push({ clientId, ...stored })
          keep([{ ...stored, client_id: clientId, user_id: null, body, attachment: null }])
          heardUpTo(stored.seq)
          return
        }
        await pause(wait)
      }
    },
    close() {
      end.abort()
      socket.close()
    },
  }
}

/** Both sides of so many running consultations, once they all are in their rooms. */
export async function openTalkers(
  url: string,
  people: Awaited<ReturnType<typeof peopleIn>>,
  consults: number,
) {
  const talkers: Talker[] = []
  for (let at = 0; at < consults; at++) {
    const { owner, vet, consultation } = await people.consult()
    for (const { token } of [owner, vet]) talkers.push(openTalker({ url, consultation, token }))
  }
  await until(() => talkers.every((one) => one.isJoined()))
  return talkers
}

/** They all go on talking, with pauses of up to so many milliseconds, until the returned function is called. */
export function talking(talkers: Talker[], longestPause: number, random: () => number) {
  const ends = talkers.map((talker, name) => {
    let at = 0
    return repeating(async () => {
      await talker.sendMessage(`${name} says ${at++}`)
      await pause(random() * longestPause)
    })
  })
  return async () => void (await Promise.all(ends.map((end) => end())))
}
