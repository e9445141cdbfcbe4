/** Figures of a connection since its beginning, as far as this browser tells them. */
export interface Totals {
  bytes: number
  /** How this page receives. */
  received: number
  lost: number
  frozenMs: number
  /** How the other receives, as it last reported. */
  lossThere: number
  rtt: number
  /** Bits a second that the network has room for, by the browser's estimate. */
  room: number | undefined
  relayed: boolean
}

type Stat = Record<string, number | string | boolean | undefined>

const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0)

export async function totalsOf(pc: RTCPeerConnection): Promise<Totals> {
  const all = new Map<string, Stat>()
  ;(await pc.getStats()).forEach((stat: Stat, id: string) => void all.set(id, stat))
  let byPairs = 0
  const totals: Totals = {
    bytes: 0,
    received: 0,
    lost: 0,
    frozenMs: 0,
    lossThere: 0,
    rtt: 0,
    room: undefined,
    relayed: false,
  }
  for (const stat of all.values()) {
    if (stat['type'] === 'inbound-rtp') {
      totals.received += numberOf(stat['packetsReceived'])
      totals.lost += Math.max(0, numberOf(stat['packetsLost']))
      totals.frozenMs += numberOf(stat['totalFreezesDuration']) * 1000
    }
    if (stat['type'] === 'remote-inbound-rtp') {
      totals.lossThere = Math.max(totals.lossThere, numberOf(stat['fractionLost']))
      totals.rtt = Math.max(totals.rtt, numberOf(stat['roundTripTime']) * 1000)
    }
    // The whole transport's, whichever ways it took. Firefox has only those of each way.
    const bytes = numberOf(stat['bytesSent']) + numberOf(stat['bytesReceived'])
    if (stat['type'] === 'transport') totals.bytes += bytes
    if (stat['type'] === 'candidate-pair') byPairs += bytes
    if (stat['type'] === 'candidate-pair' && stat['nominated'] && stat['state'] === 'succeeded') {
      totals.rtt = Math.max(totals.rtt, numberOf(stat['currentRoundTripTime']) * 1000)
      totals.room = numberOf(stat['availableOutgoingBitrate']) || undefined
      totals.relayed = all.get(String(stat['localCandidateId']))?.['candidateType'] === 'relay'
    }
  }
  totals.bytes ||= byPairs
  return totals
}
