import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { type ErrorCode, words } from './contract/errors.ts'

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
  start: number
  end: number
  callee?: { name?: string }
  arguments?: { properties?: { key?: { name?: string }; value: Node }[] }[]
}
const DEFINES = ['call', 'event', 'push']
const OF_THE_SERVER = ['output', 'payload', 'summary']

/** What only the server makes use of in a definition of the contract. */
function* servers(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return
  const { type, callee, arguments: given } = node as Node
  if (type === 'CallExpression' && DEFINES.includes(callee?.name ?? ''))
    for (const { key, value } of given?.[0]?.properties ?? [])
      if (OF_THE_SERVER.includes(key?.name ?? '')) yield value
  for (const inner of Object.values(node)) yield* servers(inner)
}

/** The server alone checks what an answer looks like and tells what a call is for: pages do not carry it. */
const noAnswers: Plugin = {
  name: 'no-answers',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!/\/contract\/[\w-]+\.ts$/.test(id)) return undefined
    const last = [...servers(this.parse(code))].toSorted((a, b) => b.start - a.start)
    const without = last.reduce((rest, { start, end }) => `${rest.slice(0, start)}0${rest.slice(end)}`, code)
    return { code: without, map: null }
  },
}

export default defineConfig({
  plugins: [ownWords, noAnswers, tailwindcss(), reactRouter()],
  // Found at the start, or the first visit of each page would reload it.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.tsx'] },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A schema that nothing uses is not made.
    rolldownOptions: { treeshake: { manualPureFunctions: ['z'] } },
  },
})
