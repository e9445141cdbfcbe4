import { randomUUID } from 'node:crypto'
import type { Database } from '../db/client.ts'
import type { Env } from '../env.ts'

/** What one instance tells the others: a message for a room, or that the connections in it are over. */
export type Parcel = { room: string; push: string; payload: unknown } | { room: string; hangUp: true }

export interface Carrier {
  carry: (parcel: Parcel) => void
  /** Hears the other instances. `missed` says that some of it may have been lost while the line was down. */
  hear: (heard: (parcel: Parcel) => void, missed: () => void) => Promise<void>
  /** Sends what still waits. */
  close: () => Promise<void>
}

const CHANNEL = 'live'
/** PostgreSQL takes a little less than 8,000 bytes in one notification. */
const PIECE = 7800
/** Nobody sees that a message from the other instance comes so much later; sending each alone costs as much as storing it. */
const GATHERS_MS = 20
/** Whose message it is, which of theirs, which piece and of how many. */
const LABEL = /^(\S+ \d+) \d+ (\d+) /

/** JSON of one byte a letter, so that it can be cut anywhere. */
const asciiOf = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

interface Line {
  send: (pieces: string[]) => Promise<unknown>
  /** Nothing was heard where a piece is missing: the line had broken. */
  listen: (heard: (piece?: string) => void) => Promise<void>
  close: () => Promise<void>
}

/** How live messages reach the other instances: through Redis where there is one, else through PostgreSQL. */
export async function openCarrier({ redisUrl }: Pick<Env, 'redisUrl'>, database: Database): Promise<Carrier> {
  if (redisUrl) return carrierOn(await redisLine(redisUrl))
  const { pool } = database
  // Who is alone has nobody to tell.
  if (!pool) return { carry: () => {}, hear: async () => {}, close: async () => {} }
  return carrierOn({
    send: (pieces) =>
      pool.query({
        name: 'carry',
        // As lines of one text: in an array every quotation mark would be escaped. JSON has no line breaks of its own.
        text: `select pg_notify($1, piece) from string_to_table($2, E'\\n') piece`,
        values: [CHANNEL, pieces.join('\n')],
      }),
    listen: (heard) => database.listen(CHANNEL, heard),
    close: async () => {},
  })
}

/** What is told while a message is on its way goes into the next one, all of it together. */
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
      // Each says which it is: of two that are alike PostgreSQL delivers one.
      const pieces = Array.from(
        { length: parts },
        (_, at) => `${here} ${sent} ${at} ${parts} ${text.slice(at * PIECE, (at + 1) * PIECE)}`,
      )
      sent++
      // Where the line is down the others hear that they may have missed something once it is up again.
      await line.send(pieces).catch(() => {})
    }
    sending = undefined
  }
  /** The pieces of one message come one after the other. */
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
    // What was never reached stops the start; what was is waited for.
    socket: { reconnectStrategy: (tries, cause) => (reached ? Math.min(tries * 50, 2000) : cause) },
  })
  // Without a listener its errors would end the process.
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
