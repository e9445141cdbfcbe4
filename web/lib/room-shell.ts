import { SHELL } from './device-names.ts'

/** Keeps this page and the files that it has loaded; the files come from the browser's own cache. */
export async function keepShell() {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src^="/assets/"]')?.src
  if (!entry || !('caches' in window)) return
  const isOfNow = (await caches.match(entry)) !== undefined
  if (!isOfNow) await caches.delete(SHELL.cache)
  const cache = await caches.open(SHELL.cache)
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const parts = new Set([entry, ...loaded.filter((name) => name.startsWith(`${location.origin}/assets/`))])
  if (!isOfNow) {
    const page = await fetch(location.pathname)
    if (!page.ok || page.redirected) return
    await cache.put(SHELL.address, page)
  }
  for (const part of parts) if (!(await cache.match(part))) await cache.add(part)
}
