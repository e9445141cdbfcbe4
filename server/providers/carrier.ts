import { randomUUID } from 'node:crypto'
import type { LeavesOnly } from '../context.ts'
import type { Database } from '../db/client.ts'
import type { Env } from '../env.ts'

/** What one instance sends the others: a message for a socket room, or the order to close or move its connections. */
export type Parcel =
  | { room: string; push: string; payload: unknown }
  | { room: string; hangUp: true | LeavesOnly }

export interface Carrier {
  carry: (parcel: Parcel) => void
  /** Listens to the other instances. `missed` says that messages may have been lost while the connection was down. */
  hear: (heard: (parcel: Parcel) => void, missed: () => void) => Promise<void>
  /** Sends what is still waiting. */
  close: () => Promise<void>
}

const CHANNEL = 'live'
/** PostgreSQL takes a little less than 8,000 bytes in one notification. */
const PIECE = 7800
/** Nobody notices a delay this short, and sending each message alone would cost as much as storing it. */
const GATHERS_MS = 20
/** The sender, the message's number, the piece's number and the number of pieces. */
const LABEL = /^(\S+ \d+) \d+ (\d+) /

/** JSON in ASCII only, so that it can be cut anywhere. */
const asciiOf = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

interface Line {
  send: (pieces: string[]) => Promise<unknown>
  /** Calls `heard` without a piece after the connection broke. */
  listen: (heard: (piece?: string) => void) => Promise<void>
  close: () => Promise<void>
}

/** Carries live messages to the other instances: through Redis if it is configured, else through PostgreSQL. */
export async function openCarrier({ redisUrl }: Pick<Env, 'redisUrl'>, database: Database): Promise<Carrier> {
  if (redisUrl) return carrierOn(await redisLine(redisUrl))
  const { pool } = database
  // With the embedded database there is only one instance.
  if (!pool) return { carry: () => {}, hear: async () => {}, close: async () => {} }
  return carrierOn({
    send: (pieces) =>
      pool.query({
        name: 'carry',
        // Joined by line breaks: an array would escape every quotation mark, and this JSON contains no line breaks.
        text: `select pg_notify($1, piece) from string_to_table($2, E'\\n') piece`,
        values: [CHANNEL, pieces.join('\n')],
      }),
    listen: (heard) => database.listen(CHANNEL, heard),
    close: async () => {},
  })
}

/** Everything that is told while one message is being sent goes into the next one. */
function carrierOn(line: Line): Carrier {
  const here = randomUUID()
  const waiting: Parcel[] = []
  const incomplete = new Map<string, string[]>()
  let sending: Promise<void> | undefined
  let sent = 0

  async function sendWaiting() {
    while (waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, GATHERS_MS))
      const text = asciiOf(JSON.stringify(waiting.splice(0)))
      const parts = Math.ceil(text.length / PIECE)
      // Pieces are numbered, because PostgreSQL delivers only one of two equal notifications.
      const pieces = Array.from(
        { length: parts },
        (_, at) => `${here} ${sent} ${at} ${parts} ${text.slice(at * PIECE, (at + 1) * PIECE)}`,
      )
      sent++
      // If the connection is down, the others learn that they may have missed something once it is back.
      await line.send(pieces).catch(() => {})
    }
    sending = undefined
  }
  /** Puts a message's pieces together; they arrive in order. */
  function whole(piece: string): Parcel[] {
    if (piece.startsWith(here)) return []
    const [label = '', name = '', parts = ''] = LABEL.exec(piece) ?? []
    const pieces = [...(incomplete.get(name) ?? []), piece.slice(label.length)]
    incomplete.set(name, pieces)
    if (pieces.length < Number(parts)) return []
    incomplete.delete(name)
    return JSON.parse(pieces.join('')) as Parcel[]
  }
  return {
    carry(parcel) {
      waiting.push(parcel)
      sending ??= sendWaiting()
    },
    hear: (heard, missed) =>
      line.listen((piece) => {
        if (piece !== undefined) return whole(piece).forEach(heard)
        incomplete.clear()
        missed()
      }),
    async close() {
      await sending
      await line.close()
    },
  }
}

async function redisLine(url: string): Promise<Line> {
  const { createClient } = await import('@redis/client')
  let reached = false
  const client = createClient({
    url,
    // If Redis was never reached, the start fails; a lost connection is retried.
    socket: { reconnectStrategy: (tries, cause) => (reached ? Math.min(tries * 50, 2000) : cause) },
  })
  // Without a listener, an error would end the process.
  client.on('error', () => {})
  await client.connect()
  reached = true
  const ears = client.duplicate()
  ears.on('error', () => {})
  return {
    send: (pieces) => Promise.all(pieces.map((piece) => client.publish(CHANNEL, piece))),
    async listen(heard) {
      await ears.connect()
      await ears.subscribe(CHANNEL, (piece) => heard(piece))
      ears.on('ready', () => heard())
    },
    close: async () => void (await Promise.all([client, ears].map((one) => one.isOpen && one.close()))),
  }
}
