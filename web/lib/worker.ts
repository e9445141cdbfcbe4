import { KEPT as CONVERSATIONS, OUTBOX, SHELL, withStore } from './device.ts'

/* Stores one page on the device, which is shown when another page can't be reached. */

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Asked extends Lasting {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}
interface Clients {
  matchAll(which: object): Promise<{ url: string; focus(): Promise<unknown> }[]>
}
const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }

const KEPT = 'offline'
const PAGE = '/offline'
const PARTS = /(?:href|src|srcset)="(\/(?:assets|scenes)\/[^"]+|\/logo-mark[^"]*|\/back\.js)"/gi
const WORDS = /(<p[^>]*\bdata-waits\b[^>]*>)[^<]*/
const ROOM = /\/(?:text|video)-chat\/(\d+)/

/** Serves the offline page's files when the network is gone. */
let away = false

addEventListener('install', (event) => (event as Lasting).waitUntil(keep()))
/** When a ring's notification is pressed, the page that rings comes to the front. */
addEventListener('notificationclick', (event) => {
  const { notification } = event as Event & { notification: Notification }
  notification.close()
  ;(event as Lasting).waitUntil(
    (globalThis as unknown as { clients: Clients }).clients
      .matchAll({ type: 'window' })
      .then((pages) => pages.find(({ url }) => ROOM.test(url))?.focus()),
  )
})
addEventListener('activate', (event) => {
  const preload = registration.navigationPreload as NavigationPreloadManager | undefined
  ;(event as Lasting).waitUntil(Promise.resolve(preload?.enable()))
})
addEventListener('fetch', (event) => {
  const asked = event as Asked
  const { mode, method, url } = asked.request
  if (mode === 'navigate' && method === 'GET') asked.respondWith(page(asked))
  else if (away && method === 'GET' && new URL(url).origin === location.origin) asked.respondWith(part(asked))
})

async function keep() {
  const answer = await fetch(PAGE, { cache: 'no-store' })
  if (!answer.ok) throw new Error(`The page to keep answers ${answer.status}`)
  const html = await answer.clone().text()
  const parts = new Set([...html.matchAll(PARTS)].map(([, address]) => address!))
  const kept = await caches.open(KEPT)
  for (const old of await kept.keys()) if (!parts.has(new URL(old.url).pathname)) await kept.delete(old)
  await kept.addAll([...parts])
  await kept.put(PAGE, answer)
}

async function page({ request, preloadResponse }: Asked): Promise<Response> {
  try {
    const answer = (await preloadResponse) ?? (await fetch(request))
    away = false
    return answer
  } catch {
    away = true
    return (await keptRoom(request.url)) ?? (await offlinePage(request.url)) ?? Response.error()
  }
}

const part = async ({ request }: Asked) => (await caches.match(request)) ?? fetch(request)

/** The room's page, if this device has stored the conversation. */
async function keptRoom(wanted: string): Promise<Response | undefined> {
  const consultation = Number(ROOM.exec(new URL(wanted).pathname)?.[1])
  const shell = await caches.match(SHELL.address, { ignoreVary: true })
  if (!shell || !consultation) return undefined
  const known = await counted(CONVERSATIONS, (store) => store.count(consultation))
  if (known === 0) return undefined
  return new Response((await shell.text()).replace('<html', '<html data-kept'), { headers: shell.headers })
}

async function offlinePage(wanted: string): Promise<Response | undefined> {
  const kept = await caches.match(PAGE)
  const words = await wordsFor(wanted)
  if (!kept || words === undefined) return kept
  return new Response((await kept.text()).replace(WORDS, `$1${words}`), { headers: kept.headers })
}

async function wordsFor(wanted: string): Promise<string | undefined> {
  const consultation = ROOM.exec(wanted)?.[1]
  const n = await waiting(consultation ? Number(consultation) : undefined)
  if (consultation) {
    const then = n === 0 ? '' : `, and we’ll send your ${n === 1 ? 'message' : `${n} messages`} then`
    return `Your consult isn’t lost. It opens again where you left it${then}.`
  }
  if (n === 0) return undefined
  const [unsent, them] = n === 1 ? ['1 unsent message', 'it'] : [`${n} unsent messages`, 'them']
  return `You have ${unsent}. Open the conversation when you’re back online, and we’ll send ${them}.`
}

/** How many items of one consultation, or of all, are in the outbox. */
const waiting = (consultation: number | undefined) =>
  counted(OUTBOX, (store) =>
    consultation === undefined ? store.count() : store.index(OUTBOX.index).count(consultation),
  )

const counted = (
  place: { database: string; store: string },
  count: (store: IDBObjectStore) => IDBRequest<number>,
) =>
  // Only pages create the store.
  withStore({ ...place, create: ({ transaction }) => transaction!.abort() }, count).catch(() => 0)
