import { useSyncExternalStore } from 'react'
import { io, type Socket } from 'socket.io-client'
import type { Event, Input, Output, Push } from '#contract/call.ts'
import { type ErrorCode, ERRORS } from '#contract/errors.ts'
import { ApiError } from './api.ts'
import { mainToken, onSessionChange, settled, singleToken } from './session.ts'

const ACK_MS = 15_000
const tokenNow = () => mainToken() ?? singleToken()

/** The page's one socket, opened by the first who needs it. */
let socket: Socket | undefined

function open(): Socket {
  if (socket) return socket
  const opened = io({
    path: '/api/live',
    transports: ['websocket', 'polling'],
    autoConnect: false,
    // Asked anew at every connection, so that a renewed token is used.
    auth: (send) => send({ token: tokenNow() }),
  })
  opened.on('connect', () => say(true))
  opened.on('disconnect', () => say(false))
  const follow = () => void (tokenNow() ? opened.connect() : opened.disconnect())
  onSessionChange(follow)
  void settled().then(follow)
  return (socket = opened)
}

type Answer<O> = { ok: O } | { errors: string[]; code: ErrorCode }

/** Asks the server over the socket; fails with an ApiError, like a call. */
export async function ask<E extends Event>(definition: E, input: Input<E>): Promise<Output<E>> {
  const sent = open().timeout(ACK_MS).emitWithAck(definition.event, input) as Promise<Answer<Output<E>>>
  const answer = await sent.catch(() => undefined)
  if (!answer) throw new ApiError(0, '')
  if ('ok' in answer) return answer.ok
  const ended = answer.code === 'UNAUTHORIZED'
  throw new ApiError(ERRORS[answer.code]?.status ?? 500, ended ? 'Unauthorized' : JSON.stringify(answer))
}

/** Hears a push until the returned function is called. */
export function on<P extends Push>(
  definition: P,
  listen: (payload: Output<{ output: P['payload'] }>) => void,
) {
  const here = open()
  here.on(definition.push, listen)
  return () => void here.off(definition.push, listen)
}

// --- online or not

let online = true
const listeners = new Set<() => void>()

function say(value: boolean) {
  online = value
  for (const listener of listeners) listener()
}

function onOnline(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the socket is connected; true until the first connection is lost. */
export const useOnline = () =>
  useSyncExternalStore(
    onOnline,
    () => online,
    () => true,
  )
