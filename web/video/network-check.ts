import type { Ways } from '#contract/video.ts'
import { pingServer } from './queries.ts'

/** What the network is good enough for. Blocked means that no call gets through to the relay. */
export type Verdict = 'video' | 'sound' | 'text' | 'blocked'

export interface Measured {
  rtt: number
  kbps: number | undefined
}

/** Sound takes about 50 kbit/s with its headers, and the smallest picture another 100. */
export function verdictOf({ rtt, kbps }: Measured): Verdict {
  if (rtt > 2500 || (kbps !== undefined && kbps < 60)) return 'text'
  return rtt < 700 && (kbps === undefined || kbps >= 250) ? 'video' : 'sound'
}

const hasRelay = (ways: Ways) => ways.ice_servers.some(({ username }) => username)

/** Checks through the relay if this page may use it, otherwise with our server. */
export async function checkNetwork(ways: Ways | undefined): Promise<Verdict> {
  if (ways && hasRelay(ways)) {
    const measured = await throughRelay(ways)
    if (measured) return verdictOf(measured)
    return ways.relay_only ? 'blocked' : verdictOf(await toServer())
  }
  return verdictOf(await toServer())
}

async function toServer(): Promise<Measured> {
  const { connection } = navigator as { connection?: { downlink?: number } }
  const kbps = connection?.downlink === undefined ? undefined : connection.downlink * 1000
  try {
    await pingServer()
    return { rtt: await pingServer(), kbps }
  } catch {
    return { rtt: Number.POSITIVE_INFINITY, kbps }
  }
}

const PATIENCE_MS = 8000
const CHUNK = new Uint8Array(12_000)
/** About 300 kB of the owner's data in total, in both directions. */
const CHUNKS = 12

/** This page talks to itself through the relay: first one message and its echo, then as much as possible. */
function throughRelay(ways: Ways): Promise<Measured | undefined> {
  const config: RTCConfiguration = {
    iceServers: ways.ice_servers as RTCIceServer[],
    iceTransportPolicy: 'relay',
  }
  const [here, there] = [new RTCPeerConnection(config), new RTCPeerConnection(config)]
  return new Promise<Measured | undefined>((resolve) => {
    const end = (measured: Measured | undefined) => {
      clearTimeout(late)
      resolve(measured)
    }
    /** Each chunk goes up and comes down, so the slower direction counts. */
    const measured = () => ({
      rtt: rtt / 2,
      kbps: (heard * CHUNK.length * 8) / (performance.now() - begun),
    })
    // A network that echoed the first message is slow, but not blocked.
    const late = setTimeout(() => end(begun ? measured() : undefined), PATIENCE_MS)
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const)
      one.addEventListener('icecandidate', ({ candidate }) => {
        if (candidate) void other.addIceCandidate(candidate).catch(() => {})
      })
    const channel = here.createDataChannel('check')
    channel.binaryType = 'arraybuffer'
    let [pinged, rtt, heard, begun] = [0, 0, 0, 0]
    there.addEventListener('datachannel', ({ channel: far }) =>
      far.addEventListener('message', ({ data }) => far.send(typeof data === 'string' ? data : '.')),
    )
    channel.addEventListener('open', () => {
      pinged = performance.now()
      channel.send('ping')
    })
    channel.addEventListener('message', ({ data }) => {
      if (data === 'ping') {
        rtt = performance.now() - pinged
        begun = performance.now()
        for (let n = 0; n < CHUNKS; n++) channel.send(CHUNK)
      } else if (++heard === CHUNKS) end(measured())
    })
    void (async () => {
      await here.setLocalDescription()
      await there.setRemoteDescription(here.localDescription!)
      await there.setLocalDescription()
      await here.setRemoteDescription(there.localDescription!)
    })().catch(() => end(undefined))
  }).finally(() => {
    here.close()
    there.close()
  })
}
