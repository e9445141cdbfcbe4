import { SHELL } from './device.ts'

let keeping: Promise<void> | undefined

/** Stores this page and the files that it loaded. The files come from the browser's own cache. */
export const keepShell = () => (keeping ??= keep().finally(() => (keeping = undefined)))

async function keep() {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src^="/assets/"]')?.src
  if (!entry || !('caches' in window)) return
  const isKept = async (address: string) => (await caches.match(address)) !== undefined
  const isOfNow = (await isKept(entry)) && (await isKept(SHELL.address))
  if (!isOfNow) await caches.delete(SHELL.cache)
  const cache = await caches.open(SHELL.cache)
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const parts = new Set([entry, ...loaded.filter((name) => name.startsWith(`${location.origin}/assets/`))])
  const page = isOfNow ? undefined : await fetch(location.pathname)
  if (page && (!page.ok || page.redirected)) return
  for (const part of parts) if (!(await cache.match(part))) await cache.add(part)
  // Stored last: without all its files the page would stay empty, and the offline page is more helpful.
  if (page) await cache.put(SHELL.address, page)
}
