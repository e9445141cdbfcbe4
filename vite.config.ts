import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { noSchemas } from './vite.no-schemas.ts'
import { usedErrors } from './vite.used-errors.ts'

const FORMS =
  /\/web\/(ui\/(form|form-state|form-draft|field|text-field|textarea|select|checkbox|password-field)|lib\/(rules|terms-box))\./

/**
 * Groups make a page load a dozen files instead of sixty: each file costs its headers, and small ones compress badly.
 * Code that ten entries share is one file; the rest is split by the entries that need it.
 */
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
  { name: 'socket', test: /node_modules\/(socket|engine)\.io-/, priority: 3 },
  { name: 'router', test: /node_modules\/react-router\//, priority: 3 },
  { name: 'base', test: (id: string) => !FORMS.test(id), minShareCount: 10, priority: 2 },
  { name: 'form', test: FORMS, priority: 1 },
]

export default defineConfig({
  // Bundles packages, so that a build needs none. In development it's faster if Node loads them.
  ...(process.env['BUILD_DIR'] && { ssr: { noExternal: true } }),
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  plugins: [usedErrors, noSchemas, tailwindcss(), reactRouter()],
  // Vite must find packages at the start, or the first visit of a page would reload it.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.tsx'] },
  build: {
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
