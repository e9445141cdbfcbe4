import { repeating } from './load.ts'

const PAGES = [
  '/',
  '/login',
  '/chat-purchase',
  '/text-chat/1',
  '/myaccount',
  '/admin',
  '/subscribe',
  '/videos',
]
/** What a document loads from its own site. */
const OF_DOCUMENT = /(?:src|href)="(\/[^"]+\.(?:js|css|woff2|svg|webp|png|webmanifest))"/g
/** What scripts import, now or later, and what styles name. */
const OF_PART = /["'`(](?:\.\/|\/?assets\/)([\w.-]+\.(?:js|css|woff2|svg|webp|png))["'`)]/g

const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)

/** Loads a page with everything it can ever load, side by side as a browser does. Returns what was missing. */
export async function loadPage(url: string, page: string) {
  const document = await fetch(url + page)
  const parts = new Set<string>()
  const missing = document.ok ? [] : [page]
  async function load(part: string): Promise<void> {
    if (parts.has(part)) return
    parts.add(part)
    const answer = await fetch(url + part).catch(() => undefined)
    const text = await answer?.text()
    if (!answer?.ok || answer.headers.get('content-type')?.startsWith('text/html')) missing.push(part)
    else if (/\.(js|css)$/.test(part))
      await Promise.all(namesIn(text!, OF_PART).map((name) => load(`/assets/${name}`)))
  }
  await Promise.all(namesIn(await document.text(), OF_DOCUMENT).map(load))
  return { parts: parts.size, missing }
}

/** Somebody who opens one page after the other, each as if for the first time. */
export function reader(url: string) {
  const figure = { pages: 0, parts: 0, brokenPages: 0 }
  const missing = new Set<string>()
  const end = repeating(async () => {
    const page = PAGES[figure.pages++ % PAGES.length]!
    const found = await loadPage(url, page).catch(() => ({ parts: 0, missing: [page] }))
    figure.parts += found.parts
    if (found.missing.length > 0) figure.brokenPages++
    for (const part of found.missing) missing.add(part)
  })
  return {
    async stop() {
      await end()
      return { ...figure, missing: [...missing].slice(0, 5) }
    },
  }
}
