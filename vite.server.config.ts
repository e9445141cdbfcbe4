import { globSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { defineConfig } from 'vite'

/** These can't be bundled: they hold native code or read files beside them. */
export const OUTSIDE = ['sharp', '@node-rs/argon2', '@electric-sql/pglite', 'pdfkit']
/** Only development and tests use these. */
const NEVER = ['vite', '@fastify/middie', 'pg-native']

/** The commands that also work on a machine without the sources. */
const COMMANDS = ['admin', 'backup', 'clinic', 'factor', 'feed', 'ledger', 'mails', 'restore', 'vet']

/** The server and its commands, with the packages they use, in a few files with source maps. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, external: [...OUTSIDE, ...NEVER, ...builtinModules] },
  build: {
    ssr: true,
    outDir: `${process.env['BUILD_DIR'] ?? 'build'}/app`,
    sourcemap: true,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(
        ['server/main.ts', ...globSync(`scripts/{${COMMANDS.join(',')}}.ts`)].map((file) => [
          file.replace(/^.*\/|\.ts$/g, ''),
          file,
        ]),
      ),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
