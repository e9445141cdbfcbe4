import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LeavesOnly } from '../context.ts'
import type { Database } from '../db/client.ts'
import type { Env } from '../env.ts'

/** What one instance sends the others: a message for a socket room, or the order to close or move its connections. */
export type Parcel =
  | { room: string; push: string; payload: unknown }
  | { room: string; hangUp: true | LeavesOnly }

export interface Carrier {
  carry: (parcel: Parcel) => void
  /** Listens to the other instances. `missed` is called when messages may have been lost while the connection was down. */
  hear: (heard: (parcel: Parcel) => void, missed: () => void) => Promise<void>
  /** Whether messages go the configured way. `changed` is called when that changes. */
  isUp: () => boolean
  watch: (changed: (isUp: boolean) => void) => void
  /** Sends what is still waiting. */
  close: () => Promise<void>
}

const CHANNEL = 'live'
const ANSWERS_WITHIN = 1000
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
  /** Calls `changed` when its connection is lost and when it's back. */
  watch?: (changed: (isUp: boolean) => void) => void
  /** Calls `heard` without a piece after the connection broke. */
  listen: (heard: (piece?: string) => void) => Promise<void>
  close: () => Promise<void>
}

/** Carries live messages to the other instances: through Redis if it is configured, else through PostgreSQL. */
export async function openCarrier({ redisUrl }: Pick<Env, 'redisUrl'>, database: Database): Promise<Carrier> {
  const postgres = postgresLine(database)
  if (redisUrl) {
    const redis = await redisLine(redisUrl)
    return carrierOn(postgres ? orElse(redis, postgres) : redis)
  }
  if (postgres) return carrierOn(postgres)
  // With the embedded database there is only one instance.
  return { carry: () => {}, hear: async () => {}, isUp: () => true, watch: () => {}, close: async () => {} }
}

/** While Redis is down, PostgreSQL carries the messages. Every instance listens to both, so none needs to know. */
const orElse = (first: Line, second: Line): Line => ({
  ...first,
  send: (pieces) => first.send(pieces).catch(() => second.send(pieces)),
  async listen(heard) {
    await Promise.all([first.listen(heard), second.listen(heard)])
  },
})

function postgresLine(database: Database): Line | null {
  const { pool } = database
  return (
    pool && {
      send: (pieces) =>
        pool.query({
          name: 'carry',
          // Joined by line breaks: an array would escape every quotation mark, and this JSON contains no line breaks.
          text: `select pg_notify($1, piece) from string_to_table($2, E'\\n') piece`,
          values: [CHANNEL, pieces.join('\n')],
        }),
      listen: (heard) => database.listen(CHANNEL, heard),
      close: async () => {},
    }
  )
}

/** All pushes that arrive while one message is being sent go into the next one. */
function carrierOn(line: Line): Carrier {
  const here = randomUUID()
  const waiting: Parcel[] = []
  const incomplete = new Map<string, string[]>()
  let sending: Promise<void> | undefined
  let sent = 0
  let isUp = true
  line.watch?.((now) => void (isUp = now))

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
    isUp: () => isUp,
    watch: (changed) => line.watch?.(changed),
    async close() {
      await sending
      await line.close()
    },
  }
}

/** A Redis that hangs counts as down. */
const within = <T>(sending: Promise<T>) =>
  Promise.race([
    sending,
    pause(ANSWERS_WITHIN, undefined, { ref: false }).then(() => {
      throw new Error('Redis doesn’t answer')
    }),
  ])

async function redisLine(url: string): Promise<Line> {
  const { createClient } = await import('@redis/client')
  let reached = false
  const client = createClient({
    url,
    // What can't be sent now goes another way.
    disableOfflineQueue: true,
    // If Redis was never reached, the start fails; a lost connection is retried.
    socket: {
      connectTimeout: ANSWERS_WITHIN,
      reconnectStrategy: (tries, cause) => (reached ? Math.min(tries * 50, 2000) : cause),
    },
  })
  // Without a listener, an error would end the process.
  client.on('error', () => {})
  await client.connect()
  reached = true
  const ears = client.duplicate()
  ears.on('error', () => {})
  return {
    send: (pieces) => within(Promise.all(pieces.map((piece) => client.publish(CHANNEL, piece)))),
    watch(changed) {
      let was = true
      const now = (isUp: boolean) => {
        if (isUp !== was) changed(isUp)
        was = isUp
      }
      client.on('error', () => now(false)).on('ready', () => now(true))
    },
    async listen(heard) {
      await ears.connect()
      await ears.subscribe(CHANNEL, (piece) => heard(piece))
      ears.on('ready', () => heard())
    },
    close: async () => void (await Promise.all([client, ears].map((one) => one.isOpen && one.close()))),
  }
}
