import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { RedisClientType } from '@redis/client'
import type { LeavesOnly } from '../context.ts'
import type { Database } from '../db/client.ts'
import type { Env } from '../env.ts'
import { isAway } from './network-errors.ts'
import { watchProvider, type Watch } from './provider-status.ts'

/** What one instance sends the others: a message for a socket room, or the order to close or move its connections. */
export type Parcel =
  | { room: string; push: string; payload: unknown }
  | { room: string; hangUp: true | LeavesOnly }

export interface Carrier {
  carry: (parcel: Parcel) => void
  /** Listens to the other instances. `missed` is called when messages may have been lost while the connection was down. */
  hear: (heard: (parcel: Parcel) => void, missed: () => void) => Promise<void>
  /** Whether messages go the configured way. */
  isUp: () => boolean
  watch: Watch
  close: () => Promise<void>
}

const CHANNEL = 'live'
const ANSWERS_WITHIN = 1000
/** A connection that only listens can't tell silence from a firewall that has dropped it, so it asks this often. */
const ASKS_EVERY = 10_000
/** PostgreSQL takes a little less than 8,000 bytes in one notification. */
const PIECE = 7800
/** Nobody notices a delay this short, and sending each message alone would cost as much as storing it. */
const GATHERS_MS = 20
/** All connections to the database may be in use for a while. The message may end a session, so it's sent again. */
const SENT_AGAIN = 5
const SENT_AGAIN_AFTER_MS = 1000
/** The sender, the message's number, the piece's number and the number of pieces. */
const LABEL = /^(\S+ \d+) \d+ (\d+) /

/** JSON in ASCII only, so that it can be cut anywhere. */
const asciiOf = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The empty message that an instance which can't reach Redis sends to the others, and how often. */
const DEAF = 'deaf 0 0 1 []'
const DEAF_EVERY = 1000
/** The others rely on it for a little longer. */
const DEAF_FOR = 3000

interface Channel {
  send: (pieces: string[]) => Promise<unknown>
  /** Calls `heard` without a piece after the connection broke. */
  listen: (heard: (piece?: string) => void) => Promise<void>
  isUp: () => boolean
  watch: Watch
  close: () => Promise<void>
}

/** Carries live messages to the other instances: through Redis if it is configured, else through PostgreSQL. */
export async function openCarrier(
  { redisUrl }: Pick<Env, 'redisUrl'>,
  database: Database,
  asksEvery = ASKS_EVERY,
): Promise<Carrier> {
  const postgres = postgresChannel(database)
  if (redisUrl) {
    const redis = await redisChannel(redisUrl, asksEvery)
    return carrierOn(postgres ? orElse(redis, postgres) : redis)
  }
  if (postgres) return carrierOn(postgres)
  // With the embedded database there is only one instance.
  return { carry: () => {}, hear: async () => {}, isUp: () => true, watch: () => {}, close: async () => {} }
}

/**
 * While Redis is away for any instance, PostgreSQL carries the messages: every instance listens to both, and one that
 * Redis can't reach says so through PostgreSQL.
 */
function orElse(first: Channel, second: Channel): Channel {
  let deafUntil = 0
  let telling: NodeJS.Timeout | undefined
  const tellDeaf = async () => void (first.isUp() || (await second.send([DEAF]).catch(() => {})))
  return {
    ...first,
    send: (pieces) =>
      performance.now() < deafUntil
        ? second.send(pieces)
        : first.send(pieces).catch(() => second.send(pieces)),
    async listen(heard) {
      const hear = (piece?: string) => {
        if (piece === DEAF) deafUntil = performance.now() + DEAF_FOR
        else heard(piece)
      }
      await Promise.all([first.listen(heard), second.listen(hear)])
      telling = setInterval(tellDeaf, DEAF_EVERY)
      // Redis may have lost its last messages with the connection.
      first.watch((isUp) => void (isUp || tellDeaf().then(() => heard())))
    },
    async close() {
      clearInterval(telling)
      await Promise.all([first.close(), second.close()])
    },
  }
}

function postgresChannel(database: Database): Channel | null {
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
      isUp: () => true,
      watch: () => {},
      close: async () => {},
    }
  )
}

/** All pushes that arrive while one message is being sent go into the next one. */
function carrierOn(channel: Channel): Carrier {
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
      await send(pieces)
    }
    sending = undefined
  }
  /** Gives up if the connection is down for everybody: the others learn that they missed something once it is back. */
  async function send(pieces: string[], again = SENT_AGAIN): Promise<void> {
    try {
      await channel.send(pieces)
    } catch {
      if (again === 0) return
      await pause(SENT_AGAIN_AFTER_MS, undefined, { ref: false })
      await send(pieces, again - 1)
    }
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
      channel.listen((piece) => {
        if (piece !== undefined) return whole(piece).forEach(heard)
        incomplete.clear()
        missed()
      }),
    isUp: channel.isUp,
    watch: channel.watch,
    async close() {
      await sending
      await channel.close()
    },
  }
}

const silent = new Error('Redis doesn’t answer')

/** A Redis that hangs counts as down. */
const within = <T>(sending: Promise<T>) =>
  Promise.race([
    sending,
    pause(ANSWERS_WITHIN, undefined, { ref: false }).then(() => {
      throw silent
    }),
  ])

/** What Redis answers while it starts or hands over. Any other refusal is about our settings. */
const FOR_NOW = /^(LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY|BUSY|ERR max number of clients)/
const LOST = ['ConnectionTimeoutError', 'SocketClosedUnexpectedlyError', 'SocketTimeoutError']

const mayPass = (error: Error) =>
  isAway(error) || LOST.includes(error.constructor.name) || FOR_NOW.test(error.message)

/** Connects, and returns early if Redis is away: the client keeps trying. Fails if Redis refuses our settings. */
async function connect(client: RedisClientType) {
  const connecting = client.connect()
  const away = new Promise<void>((resolve, reject) =>
    client.once('error', (error: Error) => (mayPass(error) ? resolve() : reject(error))),
  )
  connecting.catch(() => {})
  await Promise.race([connecting, away, pause(ANSWERS_WITHIN, undefined, { ref: false })])
}

/** An error of several addresses at once has no message. */
const reasonOf = ({ message, code }: NodeJS.ErrnoException) => message || code

async function redisChannel(url: string, asksEvery: number): Promise<Channel> {
  const { createClient } = await import('@redis/client')
  let isStarting = true
  const options = {
    url,
    // What can't be sent now goes another way.
    disableOfflineQueue: true,
    pingInterval: asksEvery,
    socket: {
      socketTimeout: 2 * asksEvery,
      connectTimeout: ANSWERS_WITHIN,
      reconnectStrategy: (tries: number, cause: Error) =>
        isStarting && !mayPass(cause) ? cause : Math.min(tries * 50, 2000),
    },
  }
  const [client, ears] = [createClient(options), createClient(options)] as [RedisClientType, RedisClientType]
  const { note, isUp, watch } = watchProvider()
  const look = (error?: Error) =>
    note(client.isReady && (ears.isReady || !ears.isOpen), error && reasonOf(error))
  // Without a listener, an error would end the process.
  for (const one of [client, ears]) one.on('error', look).on('ready', () => look())
  await connect(client)
  isStarting = false
  if (!client.isReady && isUp()) look(silent)
  return {
    send: (pieces) => within(Promise.all(pieces.map((piece) => client.publish(CHANNEL, piece)))),
    isUp,
    watch,
    async listen(heard) {
      const hear = (piece: string) => heard(piece)
      let isFirst = true
      const subscribed = new Promise<void>((resolve) =>
        ears.on('ready', async () => {
          await ears.subscribe(CHANNEL, hear).catch(() => {})
          if (!isFirst) heard()
          isFirst = false
          resolve()
        }),
      )
      await connect(ears)
      if (ears.isReady) await subscribed
      isFirst = false
    },
    async close() {
      for (const one of [client, ears]) {
        if (one.isReady) await one.close()
        else if (one.isOpen) one.destroy()
      }
    },
  }
}
