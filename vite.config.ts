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

/** In the browser the route table says what kind an address is; which file draws it is not for it to know. */
const ownRoutes: Plugin = {
  name: 'own-routes',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id, options) =>
    id.endsWith('/web/routes.ts') && !options?.ssr ? code.replace(/\bpage: '[^']+'/g, "page: ''") : undefined,
}

export default defineConfig({
  plugins: [ownWords, ownRoutes, tailwindcss(), reactRouter()],
  // Found at the start, or the first visit of each page would reload it.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.tsx'] },
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
})
