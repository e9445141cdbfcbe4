import path from 'node:path'
import { defineConfig } from 'vite'
import { ALONE } from './contract/page.ts'
import { noSchemas } from './vite.no-schemas.ts'
import { onPreact } from './vite.on-preact.ts'
import { ownWords } from './vite.own-words.ts'

/** Only the room or only a membership needs these, so a consult's form mustn't wait for them. */
const OF_ONE = [
  /\/(contract|web)\/(aftercare|chat|joining|records)\b/,
  /\/contract\/video\b/,
  /\/web\/(coupons|memberships|queue|video\/(?!media)|consultations\/(in-progress|room-queries)|payments\/charged-to)/,
  /\/web\/lib\/(data-used|device-names|live|picture)\b/,
]

/**
 * The scripts of rooms and of pages that sell, built after `react-router build` into the same folder. On a slow
 * connection the form works as soon as they have loaded, so they hold nothing else and are few files: one that the
 * pages share, and each page's own.
 */
export default defineConfig({
  publicDir: false,
  plugins: [ownWords, noSchemas],
  ...onPreact,
  build: {
    outDir: path.resolve(process.env['BUILD_DIR'] ?? 'build', 'client'),
    emptyOutDir: false,
    assetsInlineLimit: 0,
    manifest: '.vite/till.json',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ALONE.map((name) => `web/entry.${name}.tsx`),
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'till',
              test: (id) => !OF_ONE.some((one) => one.test(id)),
              tags: ['$initial'],
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})
