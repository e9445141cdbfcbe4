import type { Socket as NetSocket } from 'node:net'
import type { Server } from 'socket.io'

/** The TCP line beneath a connection, where that is a WebSocket. */
interface Line {
  transport: { socket?: { _socket?: NetSocket } }
}

/** What goes out on one line in one turn of the loop goes in one write: each costs more than all the rest of a message. */
export function sendTogether(io: Server): void {
  io.engine.on('flush', (connection: Line) => {
    const line = connection.transport.socket?._socket
    if (!line || line.writableCorked > 0) return
    line.cork()
    process.nextTick(() => line.uncork())
  })
}
