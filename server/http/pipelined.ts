import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * How many requests of one connection may wait for their answers. Browsers and proxies send the next one after the answer
 * to the last, so only a program that wants to keep us busy sends more.
 */
export const MOST_UNANSWERED = 10

/**
 * Cuts a connection that sends request after request and waits for no answer. A few kilobytes hold hundreds of them, and
 * all would begin at the same moment: those of one connection made everybody else wait for 16 s.
 */
export function cutPipelines(server: Server) {
  const unanswered = new WeakMap<Socket, number>()
  server.prependListener('request', ({ socket }, answer) => {
    const count = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, count)
    answer.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1))
    if (count > MOST_UNANSWERED) socket.destroy()
  })
}
