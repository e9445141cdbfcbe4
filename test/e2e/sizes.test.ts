import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import type { PageKind, PageRequest, WebBundle } from '#contract/page.ts'
import { routes } from '#web/routes.ts'

const CLIENT = path.resolve(import.meta.dirname, '../../build/client')
const SERVER = path.resolve(import.meta.dirname, '../../build/server/index.js')

/**
 * Brotli bytes of script: all of it on a public page, on one that sells and in a room; on the others only what React and
 * the router don't account for.
 */
const LIMITS: Record<PageKind, number> = {
  public: 12_000,
  account: 60_000,
  paying: 62_500,
  room: 61_000,
  admin: 60_000,
  clinic: 60_000,
}

interface Files {
  module: string
  imports?: string[]
}
type Built = WebBundle<Request, Response> & {
  assets: { entry: Files; routes: Record<string, Files & { parentId?: string }> }
}
type Islands = Record<string, { file: string; imports?: string[] }>

interface Weight {
  page: string
  kind: PageKind
  bytes: number
}

const tooHeavy = (weights: Weight[]) =>
  weights.filter(({ kind, bytes }) => bytes > LIMITS[kind]).map(({ page, bytes }) => `${page}: ${bytes}`)

/** Addresses with the query that makes their islands appear. */
const READING = { type: 1, slug: '7', title: 'Seven', description: '', featured_image: '', file: '/x' }
const ANSWERS: Record<string, unknown> = {
  '/announcement': { id: 'a', text: 'We are here', href: null },
  '/resources/:resource': READING,
  '/testimonials/clinics': [{ name: 'Two Oaks', rating: 5, details: 'Quiet nights.' }],
}

const weights: Weight[] = []
let floor = 0

beforeAll(async () => {
  if (!existsSync(SERVER)) throw new Error('The pages are not built: node scripts/ready.mjs build')
  const built = (await import(pathToFileURL(SERVER).href)) as Built
  const { entry, routes: modules } = built.assets
  const { rowOf } = built.entry.module
  const islands = manifestOf('islands')
  const scripts = {
    head: islands['web/lib/head.ts']!.file,
    islands: islands['web/entry.islands.ts']!.file,
    alone: {},
  }
  const alones = [manifestOf('shop'), manifestOf('own')]
  const base = new Set([entry.module, ...(entry.imports ?? [])])
  floor = bytesOf(base)
  for (const { path: pattern, page } of routes) {
    // Pages that exist only in development answer with the not-found page.
    if ((!page && pattern !== '*') || !modules[pattern]) continue
    const address = pattern === '*' ? '/nowhere' : pattern.replace(/\/\*$/, '').replace(/:\w+\??/g, '7')
    const { kind, alone } = rowOf(address)
    const html = await render(built, address, scripts)
    const files =
      kind === 'public'
        ? publicScripts(html, islands)
        : alone
          ? filesOf(
              [`web/entry.${alone}.tsx`],
              alones.find((one) => `web/entry.${alone}.tsx` in one)!,
            )
          : routeScripts(modules, pattern).filter((file) => !base.has(file))
    weights.push({ page: pattern, kind, bytes: bytesOf(new Set([...files, scripts.head])) })
  }
})

/** The head script, the islands' runtime and the chunks of the page's islands. */
function publicScripts(html: string, islands: Islands) {
  expect(html, 'a public page is not hydrated').not.toContain('__reactRouter')
  const names = [...html.matchAll(/data-island="([\w-]+)"/g)].map(([, name]) => name)
  const chunks = Object.entries(islands).filter(([file]) =>
    names.some((name) => file.endsWith(`/${name}.island.tsx`)),
  )
  expect(chunks.length, 'each island has a chunk of its own').toBe(new Set(names).size)
  return filesOf(['web/entry.islands.ts', ...chunks.map(([file]) => file)], islands)
}

const manifestOf = (build: string) =>
  JSON.parse(readFileSync(path.join(CLIENT, `.vite/${build}.json`), 'utf8')) as Islands

/** Scripts with everything that they import. */
function filesOf(entries: string[], manifest: Islands) {
  const found = new Set(entries)
  for (const key of found) for (const other of manifest[key]!.imports ?? []) found.add(other)
  return [...found].map((key) => manifest[key]!.file)
}

function routeScripts(modules: Built['assets']['routes'], id: string): string[] {
  const { module, imports = [], parentId } = modules[id]!
  return [module, ...imports, ...(parentId === undefined ? [] : routeScripts(modules, parentId))]
}

const bytesOf = (files: Set<string>) =>
  [...files].reduce((sum, file) => sum + brotliCompressSync(readFileSync(path.join(CLIENT, file))).length, 0)

async function render(built: Built, address: string, scripts: PageRequest['scripts']) {
  const page: PageRequest = {
    site: { region: 'za', url: 'http://vetchat.example', others: [], analytics: true },
    nonce: '',
    scripts,
    cardKey: null,
    takesCards: true,
    expo: null,
    reachesSandbox: { mail: true, sms: true },
    reference: '0123456789ab',
    ask: async ({ path }) => (path in ANSWERS ? ANSWERS[path] : []) as never,
    report: () => {},
  }
  const request = new Request(`http://vetchat.example${address}`)
  return (await built.entry.module.answer(built, 'production', request, page)).text()
}

it('no page loads more script than its limit', () => {
  const table = weights.map(({ page, kind, bytes }) => ({ page, kind, bytes, limit: LIMITS[kind] }))
  console.table([...table, { page: 'React and the router alone', kind: '', bytes: floor, limit: '' }])
  expect(weights.length).toBeGreaterThan(1)
  expect(tooHeavy(weights)).toEqual([])
})

/** What a call loads on top of its room, from the ring to the picture; the check before it has a limit of its own. */
const OF_CALL = [
  'web/video/ring.tsx',
  'web/video/call.tsx',
  'web/video/call-store.ts',
  'web/video/call-sound.tsx',
]
const CALL_LIMIT = 12_600
const CHECK_LIMIT = 5000

it('a call and its check load when they are asked for, and are small [CON-5]', () => {
  const shop = manifestOf('shop')
  const room = new Set(filesOf(['web/entry.room.tsx'], shop))
  const above = (entries: string[], known: Set<string>) =>
    new Set(filesOf(entries, shop).filter((file) => !known.has(file)))
  const call = above(OF_CALL, room)
  const check = above(['web/video/device-check.tsx'], new Set([...room, ...call]))
  expect(call.size).toBeGreaterThanOrEqual(OF_CALL.length)
  expect(bytesOf(call)).toBeLessThanOrEqual(CALL_LIMIT)
  expect(bytesOf(check)).toBeLessThanOrEqual(CHECK_LIMIT)
})

it('a page that is too heavy is caught', () => {
  const planted = weights.map((weight, index) =>
    index ? weight : { ...weight, bytes: LIMITS[weight.kind] + 1 },
  )
  expect(tooHeavy(planted)).toEqual([`${weights[0]!.page}: ${LIMITS[weights[0]!.kind] + 1}`])
})
