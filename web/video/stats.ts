type Stat = Record<string, number | string | boolean | undefined>

const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0)

/** Figures of a connection since its start, if this browser has them. */
export async function totalsOf(pc: RTCPeerConnection) {
  const all = new Map<string, Stat>()
  ;(await pc.getStats()).forEach((stat: Stat, id: string) => void all.set(id, stat))
  let byPairs = 0
  const totals = {
    bytes: 0,
    /** How well this page receives. */
    received: 0,
    lost: 0,
    frozenMs: 0,
    /** How well the other page receives, as it last reported. */
    lossThere: 0,
    rtt: 0,
    /** Bits per second that the network has room for, as the browser estimates. */
    room: undefined as number | undefined,
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
    // For the whole transport, over all routes. Firefox only has the figures of each route.
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
