import { once } from 'node:events'
import net from 'node:net'

/** Passes connections on to a server, until they fall silent without being closed, as behind a firewall. */
export async function passingOn(server: net.NetConnectOpts) {
  const silenced: (() => void)[] = []
  const between = net.createServer((near) => {
    const far = net.connect(server)
    for (const side of [near.pipe(far), far.pipe(near)]) side.on('error', () => {})
    silenced.push(() => void (near.unpipe(), far.unpipe()))
  })
  between.listen(0, '127.0.0.1')
  await once(between, 'listening')
  return {
    port: (between.address() as net.AddressInfo).port,
    /** Silences the connections that are open now. */
    silence: () => silenced.splice(0).forEach((one) => one()),
    stop: () => void between.close(),
  }
}
