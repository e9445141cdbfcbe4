import type { Plugin } from 'vite'
import { type ErrorCode, sentenceOf } from './contract/errors.ts'

/** A page contains only the sentences of the error catalogue that it uses. */
export const usedErrors: Plugin = {
  name: 'used-errors',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    /\/(contract|web)\//.test(id) && !/node_modules|contract\/errors\.ts$/.test(id)
      ? code.replace(/\bsentenceOf\('([A-Z_]+)'\)/g, (_, name) =>
          JSON.stringify(sentenceOf(name as ErrorCode)),
        )
      : undefined,
}
