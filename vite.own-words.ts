import type { Plugin } from 'vite'
import { type ErrorCode, words } from './contract/errors.ts'

/** Of the error catalogue a page carries the sentences that it names, not all of them. */
export const ownWords: Plugin = {
  name: 'own-words',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    /\/(contract|web)\//.test(id) && !/node_modules|contract\/errors\.ts$/.test(id)
      ? code.replace(/\bwords\('([A-Z_]+)'\)/g, (_, name) => JSON.stringify(words(name as ErrorCode)))
      : undefined,
}
