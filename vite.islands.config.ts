import { promises as fs } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { noSchemas } from './vite.no-schemas.ts'
import { onPreact } from './vite.on-preact.ts'

const client = path.resolve(process.env['BUILD_DIR'] ?? 'build', 'client')
const compress = promisify(brotliCompress)

/** Runs in the last build: writes a compressed copy beside every text file that the browser may load. */
const brotliTwins: Plugin = {
  name: 'brotli-twins',
  apply: 'build',
  async closeBundle() {
    const files = await fs.readdir(client, { recursive: true })
    for (const name of files.filter((file) => /\.(js|css|svg|webmanifest|txt)$/.test(file))) {
      const text = await fs.readFile(path.join(client, name))
      if (text.length < 1024) continue
      const twin = await compress(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } })
      await fs.writeFile(path.join(client, `${name}.br`), twin)
    }
  },
}

/**
 * The scripts of public pages, built after `react-router build` into the same folder: the head script, the
 * islands' runtime and one chunk for each island, on Preact instead of React.
 */
export default defineConfig({
  publicDir: false,
  plugins: [noSchemas, brotliTwins],
  ...onPreact,
  build: {
    outDir: client,
    emptyOutDir: false,
    manifest: '.vite/islands.json',
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['web/entry.islands.ts', 'web/lib/head.ts', 'web/lib/worker.ts', 'web/lib/back.ts'],
      output: {
        // The service worker must be at the root, and the stored offline page loads `back`, so both names stay.
        entryFileNames: ({ name }) =>
          ['worker', 'back'].includes(name) ? '[name].js' : 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/island-[name]-[hash].js',
      },
    },
  },
})
