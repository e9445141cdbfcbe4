import type { Namespace } from 'socket.io'
import type { Adapter } from 'socket.io-adapter'
import type { Database } from '../db/client.ts'
import type { Env } from '../env.ts'

interface Carrier {
  adapter?: (namespace: Namespace) => Adapter
  close: () => Promise<void>
}

/** How live messages reach the other instances: through Redis streams where there is one, else through PostgreSQL. */
export async function adapterOf({ redisUrl }: Env, { pool }: Database): Promise<Carrier> {
  if (redisUrl) {
    const [{ createClient }, { createAdapter }] = await Promise.all([
      import('@redis/client'),
      import('@socket.io/redis-streams-adapter'),
    ])
    let reached = false
    const client = createClient({
      url: redisUrl,
      // What was never reached stops the start; what was is waited for.
      socket: { reconnectStrategy: (tries, cause) => (reached ? Math.min(tries * 50, 2000) : cause) },
    })
    // Without a listener its errors would end the process.
    client.on('error', () => {})
    await client.connect()
    reached = true
    return { adapter: createAdapter(client), close: () => client.close() }
  }
  if (!pool) return { close: async () => {} }
  const { createAdapter } = await import('@socket.io/postgres-adapter')
  return {
    adapter: createAdapter(pool, { tableName: 'live_attachments', errorHandler: () => {} }),
    close: async () => {},
  }
}
