import { HOLD_SECONDS, type VideoCall, type Ways } from '#contract/video.ts'
import { ApiError } from '../lib/api.ts'
import { every } from '../lib/is-past.ts'
import { isConnected, onConnection } from '../lib/live.ts'
import { subscribers } from '../ui/listen.ts'
import { BEGINNING, type CallState, type Circle, type Phase, phaseWithout } from './call-state.ts'
import { forgetIn, keepIn, takePhoto, type Wanted, wasIn } from './media.ts'
import { openOutgoing } from './outgoing.ts'
import { facingOf, openOwnMedia } from './own-media.ts'
import { openPeer, type Peer } from './peer.ts'
import { holdCall, joinCall, leaveCall, onCall, onSignals } from './queries.ts'
import { type Heard, openQuality } from './quality.ts'
import type { Step } from './quality-steps.ts'
import { watchSurroundings } from './surroundings.ts'

const SAMPLE_MS = 2000
const TICK_MS = 1000
/** A short interruption ends on its own. After this long, we look for another route. */
const RESTART_AFTER_MS = 2500
/** Then we start over, through the relay if there is one. Slow networks get more time at each try. */
const ANEW_AFTER_MS = [10_000, 15_000, 20_000]
/** How soon a page that couldn't join tries again. */
const JOIN_AGAIN_MS = 2000

export interface CallOptions {
  consultation: number
  side: 'owner' | 'vet'
  media: MediaStream
  wanted: Wanted
  soundOnly: boolean
  /** The call to come back to. Without it, the vet rings. */
  known?: number
}

export type CallStore = ReturnType<typeof openCallStore>

type Batch = Parameters<Parameters<typeof onSignals>[1]>[0]

/** What one page tells the other. */
interface Note {
  heard?: Heard
  wants?: Step
  state?: CallState['theirs']
  circle?: Circle | null
  /** The vet asks for a photo, or the owner has answered. */
  photo?: boolean
}

/** Wide enough to show the conversation beside the owner's picture. */
const WIDE = '(min-width: 960px) and (min-height: 440px)'

/** One side of a call in this page: its media, its connection, and the state of both. */
export function openCallStore({ consultation, side, media, wanted, soundOnly, known }: CallOptions) {
  const mine = side === 'vet' ? 'vet_device' : 'owner_device'
  const others = side === 'vet' ? 'owner_device' : 'vet_device'
  const camera = media.getVideoTracks()[0]
  const before = wasIn()
  const muted = before?.consultation === consultation && before.muted
  for (const track of media.getAudioTracks()) track.enabled = !muted
  let state: CallState = {
    ...BEGINNING,
    ...(camera && { local: new MediaStream([camera]), camera: true, facing: facingOf(camera) }),
    soundOnly,
    muted,
    held: media.getTracks().some(({ muted }) => muted),
    chat: side === 'owner' && matchMedia(WIDE).matches,
  }
  const { subscribe, tell } = subscribers()
  const set = (change: Partial<CallState>) => {
    state = { ...state, ...change }
    tell()
  }
  let isClosed = false
  let hasLeft = false
  const stops: (() => void)[] = []
  const own = openOwnMedia({
    media,
    wanted,
    isMuted: () => state.muted,
    set: (change) => isClosed || setOwn(change),
    async put(kind, track) {
      await peer?.put(kind, track)
      if (kind === 'video') await quality.apply()
    },
  })
  const { tracks } = own

  // --- signalling

  let device: string = crypto.randomUUID()
  const devices = new Set([device])
  let callId = known
  let ways: Ways | undefined
  let other: string | null = null
  let heardN = 0
  /** Signals that arrived while this page was joining. */
  const early: Batch[] = []
  /** For after a reload, once this page has joined. */
  const keepOff = () => ways && keepIn({ consultation, muted: state.muted, camera: state.camera })
  /** Changes what this side sends, and tells the other side. */
  function setOwn(change: Partial<CallState>) {
    set(change)
    keepOff()
    tellState()
  }
  const outgoing = openOutgoing(consultation, () => void hold())

  async function join(next = device) {
    devices.add(next)
    try {
      const { call, ...given } = await joinCall({ consultation, device: next, call: callId })
      if (isClosed) return
      if (next === device && other !== null && call[others] !== null && call[others] !== other) {
        // The other side started over while this page was away, and its signals are lost, so this page joins again.
        other = null
        return join(crypto.randomUUID())
      }
      ways = given
      callId = call.id
      if (next !== device) {
        device = next
        closePeer()
      }
      keepOff()
      apply(call)
      for (const batch of early.splice(0)) if (batch.from === other) take(batch)
    } catch (error) {
      if (isClosed || !(error instanceof ApiError)) return
      const isNewRing = side === 'vet' && callId === undefined
      if (error.code === 'CALL_ELSEWHERE' || (error.code === 'TOO_MANY_TRIES' && isNewRing))
        return end('refused', error.message)
      if (error.status > 0 && error.status < 500) return end('over')
      // A page that isn't connected joins when it is.
      setTimeout(() => isClosed || !isConnected() || void join(next), JOIN_AGAIN_MS)
    } finally {
      // The server may have let the page in after the page left.
      if (hasLeft) void leaveCall({ consultation, device: next })
    }
  }

  function apply(call: VideoCall | null) {
    if (isClosed) return
    if (!call || (callId !== undefined && call.id !== callId)) return end('over')
    // Sent before this page last joined, so it is older than what we know.
    if (call[mine] !== device && call[mine] !== null && devices.has(call[mine])) return
    if (call[mine] !== device && callId !== undefined) return end('moved')
    set({ call })
    follow(call[others])
  }

  /** Follows the other side's page, which the server has checked. */
  function follow(next: string | null) {
    if (!ways) return
    if (next === other && (peer || next === null)) {
      if (next === null) stand()
    } else if (other === null && next !== null && peer && side === 'vet') {
      // The offer was made while it rang, and its candidates are known, so that everything is sent together.
      other = next
      heardN = 0
      since = performance.now()
    } else {
      const isAnother = other !== null && next !== null && next !== other
      closePeer()
      other = next
      heardN = 0
      if (next === null) set({ remote: null, circle: null })
      else set({ theirs: BEGINNING.theirs, circle: null })
      // The other side starts over, and our credentials may have expired meanwhile.
      if (isAnother) {
        ways = undefined
        void join()
      }
    }
    if (ways && !peer && (side === 'vet' || next !== null)) openOwn(ways)
    stand()
    outgoing.send(device, other)
  }

  function take(batch: Batch) {
    const { from, n, signals } = batch
    if (from !== other) follow(from)
    // It follows a new page, and joins again first.
    if (!ways) return void early.push(batch)
    if (n <= heardN) return
    heardN = n
    peer?.hear(signals)
  }

  /** Updates the phase while there is no connection. */
  function stand() {
    if (peer?.pc.connectionState === 'connected') return
    const { call, connectedAt, phase } = state
    if (other === null) missingSince = undefined
    else missingSince ??= performance.now()
    const waits = missingSince === undefined ? undefined : performance.now() - missingSince
    const next = phaseWithout(waits, { side, call, connectedAt })
    if (next !== phase) set({ phase: next })
  }

  async function hold() {
    try {
      apply((await holdCall({ consultation, device })).call)
    } catch {
      // Sound and picture don't need the server.
    }
  }

  // --- the connection

  let peer: Peer | undefined
  /** Shown once it is connected. Until then, the last picture stays. */
  let arriving: MediaStream | null = null
  let relayOnly = false
  /** When this peer was opened, or lost its connection. */
  let since = performance.now()
  /** This peer had a connection, and hasn't looked for another route since losing it. */
  let mayRestart = false
  /** Since when both pages have been in the call without a connection. */
  let missingSince: number | undefined
  let tries = 0

  function openOwn({ ice_servers, relay_only }: Ways) {
    const made = openPeer({
      iceServers: ice_servers,
      relayOnly: relayOnly || relay_only,
      offers: side === 'vet',
      tracks: { ...tracks },
      send: (signal) => {
        if (peer !== made) return
        outgoing.add(signal)
      },
      onRemote: (stream) => peer === made && (arriving = stream),
      onState: () => peer === made && look(),
      onNote: (note) => peer === made && hear(note as Note),
      onNotesOpen: () => peer === made && tellState(),
    })
    peer = made
    since = performance.now()
    mayRestart = false
    quality.forget()
    // What we learned about the previous route says little about the next.
    if (state.connectedAt !== undefined) quality.startLow()
    void quality.apply()
  }

  function closePeer() {
    peer?.close()
    peer = undefined
    arriving = null
    outgoing.drop()
    // Neither side would learn the answer.
    set({ asksPhoto: false })
  }

  function look() {
    const at = peer?.pc.connectionState
    if (at === 'connected') {
      tries = 0
      relayOnly = false
      mayRestart = true
      missingSince = undefined
      set({
        phase: 'on',
        remote: arriving,
        connectedAt: state.connectedAt ?? Date.now(),
        lostAt: undefined,
      })
      void quality.apply()
      void quality.sample()
    } else if (state.phase === 'on') {
      since = performance.now()
      mayRestart = true
      if (at === 'failed' && side === 'vet') void anew()
    }
  }

  /** Starts over with new credentials, only through the relay if there is one. The other page follows. */
  async function anew() {
    tries++
    since = performance.now()
    relayOnly = ways?.ice_servers.some(({ username }) => username) ?? false
    await join(crypto.randomUUID())
  }

  /** Only the vet's page decides how to continue, so that the two sides don't undo each other's tries. */
  function tick() {
    if (!peer || other === null || peer.pc.connectionState === 'connected') return
    const waited = performance.now() - since
    if (state.phase !== 'on') stand()
    else if (waited > RESTART_AFTER_MS) {
      stand()
      set({ lostAt: Date.now() - RESTART_AFTER_MS })
    }
    if (side !== 'vet') return
    if (waited > ANEW_AFTER_MS[Math.min(tries, ANEW_AFTER_MS.length - 1)]!) void anew()
    else if (waited > RESTART_AFTER_MS) restart()
  }

  function restart() {
    if (mayRestart) peer?.restart()
    mayRestart = false
  }

  // --- how good it is

  const quality = openQuality({
    state: () => state,
    set: (change) => isClosed || set(change),
    peer: () => peer,
    picture: () => tracks.video,
    onStep: () => tellState(),
  })

  // --- what the two pages tell each other

  const tellState = () =>
    peer?.note({
      state: {
        muted: state.muted || tracks.audio?.muted !== false,
        camera: state.camera && !tracks.video?.muted,
        step: state.step,
        slow: state.slow,
      },
      wants: state.soundOnly ? 'sound' : 'full',
    })

  function hear(note: Note) {
    const { heard, wants, state: theirs, circle, photo } = note
    if (heard) quality.hear(heard)
    if (theirs) set({ theirs })
    if (wants) quality.want(wants)
    if (circle !== undefined && side === 'owner') set({ circle })
    if (photo !== undefined && photo === (side === 'owner')) set({ asksPhoto: photo })
  }

  async function setCamera(on: boolean) {
    if (!on) return own.putCamera(null)
    const track = await own.turnOn()
    if (!track) return
    if (state.soundOnly) {
      set({ soundOnly: false })
      quality.startLow()
    }
    return own.putCamera(track)
  }

  // --- beginning and end

  function end(phase: Phase, refusal = '') {
    if (isClosed) return
    isClosed = true
    for (const stop of stops) stop()
    closePeer()
    outgoing.send(device, null)
    own.close()
    forgetIn()
    set({ phase, refusal, local: null, remote: null })
  }

  stops.push(
    every(HOLD_SECONDS * 1000)(() => void hold()),
    every(SAMPLE_MS)(() => void quality.sample()),
    every(TICK_MS)(tick),
    watchSurroundings({
      onHidden() {
        if (tracks.video) void own.putCamera(null).then(() => set({ hidden: true }))
      },
      onNetwork: restart,
    }),
    onCall(consultation, apply),
    onSignals(consultation, (batch) => {
      if (!isClosed && batch.to === device) take(batch)
    }),
    // After a server was down, its rooms are empty.
    onConnection((isUp) => isUp && void join()),
  )

  return {
    consultation,
    side,
    state: () => state,
    subscribe,
    leave() {
      hasLeft = true
      void leaveCall({ consultation, device })
      end('over')
    },
    /** Stops without leaving, because the page closes. */
    stop: () => end('over'),
    setMuted(muted: boolean) {
      if (tracks.audio) tracks.audio.enabled = !muted
      setOwn({ muted })
    },
    setCamera,
    switchCamera: own.switchCamera,
    replaceMicrophone: own.replaceMicrophone,
    async hearOnly() {
      set({ soundOnly: true })
      quality.startLow()
      await own.putCamera(null)
    },
    showChat: (chat: boolean) => set({ chat }),
    draw(circle: Circle | null) {
      set({ circle })
      peer?.note({ circle })
    },
    askPhoto() {
      set({ asksPhoto: true })
      peer?.note({ photo: true })
    },
    async answerPhoto(takes: boolean) {
      set({ asksPhoto: false })
      peer?.note({ photo: false })
      return takes && tracks.video ? takePhoto(tracks.video) : null
    },
  }
}
