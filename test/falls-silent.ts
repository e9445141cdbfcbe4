import net from 'node:net'
import { portOf } from './port-of.ts'

/** Passes connections on to a server, until they fall silent without being closed, as behind a firewall. */
export async function passingOn(server: net.NetConnectOpts) {
  const silenced: (() => void)[] = []
  const between = net.createServer((near) => {
    const far = net.connect(server)
    for (const side of [near.pipe(far), far.pipe(near)]) side.on('error', () => {})
    silenced.push(() => void (near.unpipe(), far.unpipe()))
  })
  return {
    port: await portOf(between),
    /** Silences the connections that are open now. */
    silence: () => silenced.splice(0).forEach((one) => one()),
    stop: () => void between.close(),
  }
}
