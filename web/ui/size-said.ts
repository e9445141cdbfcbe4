import { say } from './say.ts'

/** "340 kB", "2.1 MB". */
export const sizeSaid = (bytes: number) =>
  bytes < 1e6
    ? say('{n} kB', { n: Math.max(1, Math.round(bytes / 1e3)) })
    : say('{n} MB', { n: (bytes / 1e6).toFixed(1) })
