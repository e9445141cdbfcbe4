import type { Signal } from '#contract/video.ts'

interface PeerOptions {
  iceServers: RTCIceServer[]
  relayOnly: boolean
  /** The vet's page makes the first offer. If two offers collide, the vet's wins and the owner's page gives way. */
  offers: boolean
  tracks: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null }
  send: (signal: Signal) => void
  onRemote: (stream: MediaStream) => void
  onState: (state: RTCPeerConnectionState) => void
  onNote: (note: Record<string, unknown>) => void
  onNotesOpen: () => void
}

export type Peer = ReturnType<typeof openPeer>

/**
 * One connection to one page of the other side: sound, then picture, then a channel for notes such as "muted". Both
 * pages know the channel's number, so it needs no negotiation.
 */
export function openPeer({
  iceServers,
  relayOnly,
  offers,
  tracks,
  send,
  onRemote,
  onState,
  onNote,
  onNotesOpen,
}: PeerOptions) {
  const pc = new RTCPeerConnection({
    iceServers,
    iceTransportPolicy: relayOnly ? 'relay' : 'all',
    bundlePolicy: 'max-bundle',
  })
  const notes = pc.createDataChannel('notes', { negotiated: true, id: 0 })
  const remote = new MediaStream()
  const senders: { audio?: RTCRtpSender; video?: RTCRtpSender } = {}
  let makesOffer = false
  let ignores = false
  let isClosed = false
  /** Signals are handled in the order in which they arrive. */
  let hearing = Promise.resolve()

  notes.addEventListener('open', onNotesOpen)
  notes.addEventListener('message', ({ data }) => {
    try {
      onNote(JSON.parse(String(data)) as Record<string, unknown>)
    } catch {
      // Not one of our notes.
    }
  })
  pc.addEventListener('track', ({ track }) => {
    remote.addTrack(track)
    onRemote(remote)
  })
  pc.addEventListener('connectionstatechange', () => onState(pc.connectionState))
  pc.addEventListener('icecandidate', ({ candidate }) => {
    if (candidate?.candidate) send({ candidate: candidate.toJSON() as Signal['candidate'] })
  })
  pc.addEventListener('negotiationneeded', () => void offer())

  async function offer() {
    if (isClosed || (!offers && !pc.remoteDescription)) return
    makesOffer = true
    try {
      await pc.setLocalDescription()
      sendDescription()
    } catch {
      // The connection was closed meanwhile.
    } finally {
      makesOffer = false
    }
  }
  function sendDescription() {
    const { type, sdp } = pc.localDescription!
    if (type === 'offer' || type === 'answer') send({ description: { type, sdp } })
  }

  if (offers)
    for (const kind of ['audio', 'video'] as const)
      senders[kind] = pc.addTransceiver(tracks[kind] ?? kind, { direction: 'sendrecv' }).sender

  /** The first offer has places for sound and picture, and our tracks go into them. */
  async function fillPlaces() {
    for (const transceiver of pc.getTransceivers()) {
      const kind = transceiver.receiver.track.kind as 'audio' | 'video'
      if (senders[kind]) continue
      senders[kind] = transceiver.sender
      transceiver.direction = 'sendrecv'
      await transceiver.sender.replaceTrack(tracks[kind])
    }
  }

  async function take({ description, candidate }: Signal) {
    if (isClosed) return
    if (description) {
      const collides = description.type === 'offer' && (makesOffer || pc.signalingState !== 'stable')
      ignores = offers && collides
      if (ignores) return
      await pc.setRemoteDescription(description)
      if (description.type !== 'offer') return
      await fillPlaces()
      await pc.setLocalDescription()
      sendDescription()
    } else if (candidate) {
      await pc.addIceCandidate(candidate as RTCIceCandidateInit).catch((error: unknown) => {
        if (!ignores) throw error
      })
    }
  }

  return {
    pc,
    hear(signals: Signal[]) {
      for (const signal of signals) hearing = hearing.then(() => take(signal)).catch(() => {})
    },
    /** Sends another track of a kind, or none, without a new negotiation. */
    async put(kind: 'audio' | 'video', track: MediaStreamTrack | null) {
      tracks[kind] = track
      await senders[kind]?.replaceTrack(track).catch(() => {})
    },
    async limit(kind: 'audio' | 'video', encoding: Partial<RTCRtpEncodingParameters>) {
      const sender = senders[kind]
      const parameters = sender?.getParameters()
      if (!sender || !parameters?.encodings?.[0]) return
      Object.assign(parameters.encodings[0], encoding)
      await sender.setParameters(parameters).catch(() => {})
    },
    note(said: object) {
      if (notes.readyState === 'open') notes.send(JSON.stringify(said))
    },
    /** Looks for a new route to the same page, such as after a change of network. */
    restart() {
      if (!isClosed && pc.signalingState === 'stable') pc.restartIce()
    },
    close() {
      isClosed = true
      pc.close()
    },
  }
}
