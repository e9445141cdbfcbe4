import { connect } from 'socket.io-client'
import { onTestFinished } from 'vitest'

/** A page's connection to the server at this address. It is closed when the test ends. */
export function openSocket(address: string, token: string | undefined) {
  const socket = connect(address, {
    path: '/api/live',
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  onTestFinished(() => void socket.close())
  return socket
}
