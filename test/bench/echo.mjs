import { createRequire } from 'node:module'

// The floor for the chat: sockets that pass a message to the other side of their room and acknowledge it, without
// storing anything. Runs as a separate process, started with one line of JSON.
const { port, ws } = JSON.parse(process.argv[2])
const { WebSocketServer } = createRequire(import.meta.url)(ws)

const rooms = new Map()
const server = new WebSocketServer({ port, host: '127.0.0.1', perMessageDeflate: false })
server.on('connection', (socket, request) => {
  const { searchParams } = new URL(request.url, 'http://localhost')
  const room = rooms.get(searchParams.get('room')) ?? new Set()
  rooms.set(searchParams.get('room'), room.add(socket))
  socket.on('message', (data) => {
    const { id, body } = JSON.parse(String(data))
    for (const other of room) if (other !== socket) other.send(JSON.stringify({ body }))
    socket.send(JSON.stringify({ id }))
  })
})
server.on('listening', () => process.stdout.write('ready\n'))
