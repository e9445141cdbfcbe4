import path from 'node:path'
import { defineConfig } from 'vite'
import { ALONE } from './contract/page.ts'
import { noSchemas } from './vite.no-schemas.ts'
import { onPreact } from './vite.on-preact.ts'
import { usedErrors } from './vite.used-errors.ts'

interface Graph {
  getModuleInfo(id: string): Record<'importedIds' | 'dynamicallyImportedIds', readonly string[]> | null
}
/** A module of `web/` and what it loads: from the start, or ever. */
type Loaded = (graph: Graph) => Set<string>

function loadedBy(module: string, when: 'start' | 'ever' = 'start'): Loaded {
  let found: Set<string> | undefined
  return (graph) => {
    if (found) return found
    found = new Set([path.resolve(`web/${module}.tsx`)])
    for (const id of found) {
      const info = graph.getModuleInfo(id)
      for (const other of info?.importedIds ?? []) found.add(other)
      if (when === 'ever') for (const other of info?.dynamicallyImportedIds ?? []) found.add(other)
    }
    return found
  }
}

/** One file of the modules that are in all these sets, if something else loads them too. */
const shared = (name: string, ...sets: Loaded[]) => ({
  name: (id: string, graph: Graph) => (sets.every((set) => set(graph).has(id)) ? name : null),
  debugName: name,
  minShareCount: 2,
})

const form = loadedBy('entry.purchase')
const room = loadedBy('entry.room')
const own = ALONE.own.map((name) => loadedBy(`entry.${name}`))

const GROUPS = {
  // What an earlier group takes, the next leaves out.
  shop: [
    shared('shop', room, form),
    shared('form', loadedBy('entry.room', 'ever'), form),
    shared('sale', form),
    shared('photos', loadedBy('consultations/photos'), room),
    shared('talk', room),
    shared('membership', loadedBy('entry.subscribe')),
  ],
  own: [
    {
      name: (id: string, graph: Graph) => (own.filter((set) => set(graph).has(id)).length > 1 ? 'own' : null),
    },
  ],
}

/**
 * The scripts of pages that run without the router, built after `react-router build` into the same folder. On a slow
 * connection a page works as soon as they have loaded, so they hold nothing else and are few files. There are two
 * builds, since a module that more pages share holds what any of them uses. `--mode shop` builds rooms and pages that
 * sell: what the room and the form of a consult share, what a part of the room loads later, what pages that sell share,
 * and each page's own. `--mode own` builds the pages of people who sign in: what they share, and each page's own.
 */
export default defineConfig(({ mode }) => {
  const build = mode as keyof typeof ALONE
  return {
    publicDir: false,
    plugins: [usedErrors, noSchemas],
    ...onPreact,
    build: {
      outDir: path.resolve(process.env['BUILD_DIR'] ?? 'build', 'client'),
      emptyOutDir: false,
      assetsInlineLimit: 0,
      manifest: `.vite/${build}.json`,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: ALONE[build].map((name) => `web/entry.${name}.tsx`),
        output: { codeSplitting: { groups: GROUPS[build] } },
      },
    },
  }
})
