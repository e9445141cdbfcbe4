import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { type ErrorCode, words } from './contract/errors.ts'
import { ALONE } from './contract/page.ts'

/** Of the error catalogue a page carries the sentences that it names, not all of them. */
const ownWords: Plugin = {
  name: 'own-words',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    /\/(contract|web)\//.test(id) && !/node_modules|contract\/errors\.ts$/.test(id)
      ? code.replace(/\bwords\('([A-Z_]+)'\)/g, (_, name) => JSON.stringify(words(name as ErrorCode)))
      : undefined,
}

interface Node {
  type?: string
  name?: string
  start: number
  end: number
  callee?: Node
  object?: Node
  key?: Node
  arguments?: (Node & { properties?: Node[] })[]
}
const DEFINES = ['call', 'event', 'push']
/** Of a definition a page sends by these. */
const OF_THE_PAGE = ['method', 'path', 'upload', 'idempotent', 'event', 'push']

/** Whether the schema library makes it, as in z.string().check(…). */
const isSchema = ({ name, callee, object }: Node): boolean =>
  callee || object ? isSchema((callee ?? object)!) : name === 'z'

/** What stands instead of the parts of a contract that are the server's alone. */
function* lighter(node: unknown, code: string): Generator<{ start: number; end: number; by: string }> {
  if (typeof node !== 'object' || node === null) return
  const { type, callee, arguments: [given] = [], start, end } = node as Node
  if (type === 'CallExpression' && isSchema(node as Node)) yield { start, end, by: '0' }
  else if (type === 'CallExpression' && DEFINES.includes(callee?.name ?? '')) {
    const kept = given!.properties!.filter(({ key }) => OF_THE_PAGE.includes(key?.name ?? ''))
    const texts = kept.map((property) => code.slice(property.start, property.end))
    // A call that a page does not make is no part of it.
    yield { start, end, by: `/* @__PURE__ */ ${callee!.name}({ ${texts.join(', ')} })` }
  } else for (const inner of Object.values(node)) yield* lighter(inner, code)
}

/** The server alone checks what is asked and answered: of the contract pages carry addresses and words, no schema. */
const noSchemas: Plugin = {
  name: 'no-schemas',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!/\/contract\/[\w-]+\.ts$/.test(id)) return undefined
    const last = [...lighter(this.parse(code), code)].toSorted((a, b) => b.start - a.start)
    const without = last.reduce(
      (rest, { start, end, by }) => rest.slice(0, start) + by + rest.slice(end),
      code,
    )
    return { code: without, map: null }
  },
}

/** What runs without the router has a way in of its own; the server finds it in the manifest. */
const waysIn: Plugin = {
  name: 'ways-in',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  buildStart() {
    for (const name of ALONE) this.emitFile({ type: 'chunk', id: `web/entry.${name}.tsx` })
  },
}

const FORMS =
  /\/web\/(ui\/(form|form-state|form-draft|field|text-field|textarea|select|checkbox|password-field)|lib\/(rules|terms-box))\./

/**
 * A page asks for a dozen files rather than sixty: each costs its headers, and little ones compress badly. What seven
 * ways in share comes as one; the rest falls into files by who needs it.
 */
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
  { name: 'socket', test: /node_modules\/(socket|engine)\.io-/, priority: 3 },
  { name: 'router', test: /node_modules\/react-router\//, priority: 3 },
  { name: 'base', test: (id: string) => !FORMS.test(id), minShareCount: 7, priority: 2 },
  { name: 'form', test: FORMS, priority: 1 },
]

export default defineConfig({
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  plugins: [ownWords, noSchemas, waysIn, tailwindcss(), reactRouter()],
  // Found at the start, or the first visit of each page would reload it.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.tsx'] },
  build: {
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
