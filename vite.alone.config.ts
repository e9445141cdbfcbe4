import { promises as fs } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { ALONE } from './contract/page.ts'
import { noSchemas } from './vite.no-schemas.ts'
import { usedErrors } from './vite.used-errors.ts'

const CLIENT = path.resolve(process.env['BUILD_DIR'] ?? 'build', 'client')
const compress = promisify(brotliCompress)

/** Runs in the last build: writes a compressed copy beside every text file that the browser may load. */
const brotliTwins: Plugin = {
  name: 'brotli-twins',
  apply: 'build',
  async closeBundle() {
    const files = await fs.readdir(CLIENT, { recursive: true })
    for (const name of files.filter((file) => /\.(js|css|svg|webmanifest|txt)$/.test(file))) {
      const text = await fs.readFile(path.join(CLIENT, name))
      if (text.length < 1024) continue
      const twin = await compress(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } })
      await fs.writeFile(path.join(CLIENT, `${name}.br`), twin)
    }
  },
}

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

const built = (names: readonly string[], groups: object[]): Rolldown.RolldownOptions => ({
  input: names.map((name) => `web/entry.${name}.tsx`),
  output: { codeSplitting: { groups } },
})

const BUILDS: Record<string, Rolldown.RolldownOptions> = {
  shop: built(ALONE.shop, [
    // What an earlier group takes, the next leaves out.
    shared('shop', room, form),
    shared('form', loadedBy('entry.room', 'ever'), form),
    shared('sale', form),
    shared('photos', loadedBy('consultations/photos'), room),
    shared('talk', room),
    shared('membership', loadedBy('entry.subscribe')),
  ]),
  own: built(ALONE.own, [
    {
      name: (id: string, graph: Graph) => (own.filter((set) => set(graph).has(id)).length > 1 ? 'own' : null),
    },
  ]),
  islands: {
    input: ['web/entry.islands.ts', 'web/lib/head.ts', 'web/lib/worker.ts', 'web/lib/back.ts'],
    output: {
      // The service worker must be at the root, and the stored offline page loads `back`, so both names stay.
      entryFileNames: ({ name }) =>
        ['worker', 'back'].includes(name) ? '[name].js' : 'assets/[name]-[hash].js',
      chunkFileNames: 'assets/island-[name]-[hash].js',
    },
  },
}

/**
 * What runs without the router, on Preact, which is 50 kB smaller than React. Built after `react-router build` into the
 * same folder. On a slow connection a page works as soon as its scripts have loaded, so they hold nothing else and are
 * few files. There are three builds, since a module that more pages share holds what any of them uses:
 *
 * - `--mode shop`, rooms and pages that sell: what the room and the form of a consult share, what a part of the room
 *   loads later, what pages that sell share, and each page's own.
 * - `--mode own`, the pages of people who sign in: what they share, and each page's own.
 * - `--mode islands`, public pages: the head script, the islands' runtime and one chunk for each island.
 */
export default defineConfig(({ mode }) => ({
  publicDir: false,
  plugins: [usedErrors, noSchemas, mode === 'islands' && brotliTwins],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: [
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
    ],
  },
  build: {
    outDir: CLIENT,
    emptyOutDir: false,
    assetsInlineLimit: 0,
    manifest: `.vite/${mode}.json`,
    modulePreload: mode !== 'islands' && { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: BUILDS[mode],
  },
}))
