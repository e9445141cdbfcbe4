import { vi } from 'vitest'

const listeners = new Map<string, Set<(payload?: unknown) => void>>()
const of = (name: string) => listeners.get(name) ?? new Set()

/** Replaces the socket’s library in component tests: never connects, so everything goes by call, and hears what a test says. */
export const socket = {
  io: { on: () => {} },
  on: (name: string, listen: () => void) => void listeners.set(name, of(name).add(listen)),
  off: (name: string, listen: () => void) => void of(name).delete(listen),
  auth: (_send: () => void) => {},
  active: true,
  connected: false,
  connect: vi.fn(() => socket.auth(() => {})),
  disconnect: () => {},
  hear: (name: string, payload?: unknown) => of(name).forEach((listen) => listen(payload)),
}

export const io = (options: Pick<typeof socket, 'auth'>) => Object.assign(socket, options)
