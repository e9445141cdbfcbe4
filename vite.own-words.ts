import type { Plugin } from 'vite'
import { type ErrorCode, words } from './contract/errors.ts'

/** A page contains only the sentences of the error catalogue that it uses. */
export const ownWords: Plugin = {
  name: 'own-words',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    /\/(contract|web)\//.test(id) && !/node_modules|contract\/errors\.ts$/.test(id)
      ? code.replace(/\bwords\('([A-Z_]+)'\)/g, (_, name) => JSON.stringify(words(name as ErrorCode)))
      : undefined,
}
