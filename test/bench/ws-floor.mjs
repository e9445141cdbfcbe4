import { createRequire } from 'node:module'
import pg from 'pg'

// The floor for the chat: bare sockets. A message is stored first, then passed to the other side of its room and
// acknowledged. What arrives during a write goes into the next one. Runs as a separate process, started with one line
// of JSON.
const { port, ws, databaseUrl } = JSON.parse(process.argv[2])
const { WebSocketServer } = createRequire(import.meta.url)(ws)

const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
await pool.query(
  'create table floor_messages (id bigserial primary key, room int not null, body text not null)',
)
const STORE = {
  name: 'store',
  text: 'insert into floor_messages (room, body) select * from unnest($1::int[], $2::text[])',
}

const rooms = new Map()
const waiting = []
let isWriting = false
async function write() {
  isWriting = true
  while (waiting.length > 0) {
    const batch = waiting.splice(0)
    await pool.query({ ...STORE, values: [batch.map(({ room }) => room), batch.map(({ body }) => body)] })
    for (const { room, socket, id, body } of batch) {
      for (const other of rooms.get(room)) if (other !== socket) other.send(JSON.stringify({ body }))
      socket.send(JSON.stringify({ id }))
    }
  }
  isWriting = false
}

const server = new WebSocketServer({ port, host: '127.0.0.1', perMessageDeflate: false })
server.on('connection', (socket, request) => {
  const room = Number(new URL(request.url, 'http://localhost').searchParams.get('room'))
  rooms.set(room, (rooms.get(room) ?? new Set()).add(socket))
  socket.on('message', (data) => {
    waiting.push({ room, socket, ...JSON.parse(String(data)) })
    if (!isWriting) void write()
  })
})
server.on('listening', () => process.stdout.write('ready\n'))
