import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import type { VideoCall } from '#contract/video.ts'
import { page } from 'vitest/browser'
import { ApiError } from '../lib/api.ts'
import { mount } from '../test/mount.tsx'
import { useCallState } from './call-sound.tsx'
import { Call } from './call.tsx'
import { type CallStore, openCallStore } from './call-store.ts'
import { troubleOf } from './media.ts'
import type * as peers from './peer.ts'
import { Trouble } from './trouble.tsx'

type PeerOptions = Parameters<typeof peers.openPeer>[0]
type Side = 'owner' | 'vet'

/** Each side has its own id of the consult here, by which the mocked server tells them apart. */
const CONSULTS = { owner: 1, vet: 2 }
const sideOf = (consultation: number): Side => (consultation === CONSULTS.owner ? 'owner' : 'vet')

const world = vi.hoisted(() => ({
  call: {} as Record<string, unknown>,
  joins: { owner: 0, vet: 0 },
  /** How long the server takes to answer who joins, and how often it can't. */
  joinTakesMs: 0,
  failedJoins: 0,
  listeners: [] as ((call: never) => void)[],
  /** Tells each page, in the order in which they were opened, that its socket is connected again. */
  reconnected: [] as (() => void)[],
  /** The network between the two: whether anything gets through, and how long a connection takes. */
  isUp: true,
  takesMs: 1000,
  /** The owner's phone is locked. */
  isAsleep: false,
  /** What the pages told each other. */
  notes: [] as object[],
  /** Gives the owner's page a batch of signals. */
  signal: (() => {}) as (batch: object) => void,
  /** The signals that reached a connection. */
  heard: [] as object[],
  peers: {} as Record<string, { open: boolean; since: number; isOn: boolean; say: (state: string) => void }>,
}))

vi.mock('../lib/live.ts', () => ({
  isConnected: () => true,
  onConnection(listen: (isUp: boolean) => void) {
    listen(true)
    world.reconnected.push(() => listen(true))
    return () => {}
  },
}))

vi.mock('./queries.ts', () => ({
  async joinCall({ consultation, device }: { consultation: number; device: string }) {
    const side = sideOf(consultation)
    world.joins[side]++
    if (world.failedJoins-- > 0) throw new ApiError(503, '')
    if (world.joinTakesMs) await new Promise((resolve) => setTimeout(resolve, world.joinTakesMs))
    world.call = { ...world.call, [`${side}_device`]: device }
    for (const listen of world.listeners) setTimeout(() => listen(world.call as never))
    return { call: world.call, ice_servers: [], relay_only: false }
  },
  async holdCall({ consultation }: { consultation: number }) {
    if (world.isAsleep && sideOf(consultation) === 'owner') throw new Error()
    return { call: world.call }
  },
  async leaveCall({ consultation, device }: { consultation: number; device: string }) {
    const place = `${sideOf(consultation)}_device`
    if (world.call[place] === device) world.call = { ...world.call, [place]: null }
  },
  onCall(_: number, listen: (call: never) => void) {
    world.listeners.push(listen)
    return () => {}
  },
  onSignals(consultation: number, listen: (batch: never) => void) {
    if (sideOf(consultation) === 'owner') world.signal = (batch) => listen(batch as never)
    return () => {}
  },
  sendSignals: async () => ({}),
}))

/** Two peers connect once neither was opened or restarted for as long as the network takes. */
vi.mock('./peer.ts', () => ({
  openPeer({ offers, onState }: PeerOptions) {
    const pc = { connectionState: 'new', getStats: async () => new Map() }
    const own = {
      open: true,
      since: performance.now(),
      isOn: false,
      say(state: string) {
        if (pc.connectionState === state) return
        pc.connectionState = state
        onState(state as RTCPeerConnectionState)
      },
    }
    world.peers[offers ? 'vet' : 'owner'] = own
    return {
      pc,
      hear: (signals: object[]) => void world.heard.push(...signals),
      put: async () => {},
      limit: async () => {},
      note: (said: object) => void world.notes.push(said),
      restart: () => void (own.since = performance.now()),
      close: () => void (own.open = false),
    }
  },
}))

function weather() {
  const { owner, vet } = world.peers
  if (!owner?.open || !vet?.open) return
  const both = [owner, vet]
  const ready = performance.now() - Math.max(owner.since, vet.since) >= world.takesMs
  for (const one of both)
    if (!world.isUp) one.say('disconnected')
    else if (one.isOn || ready) one.say('connected')
  for (const one of both) one.isOn = world.isUp && (one.isOn || ready)
}

const open = (side: Side) =>
  openCallStore({
    consultation: CONSULTS[side],
    side,
    media: new MediaStream(),
    wanted: {},
    soundOnly: false,
  })

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const phases = (...stores: CallStore[]) => stores.map((store) => store.state().phase)

describe('a call that lost its connection [CON-5]', () => {
  let stores: CallStore[]

  /** From the ring to a connected call. */
  async function connect(ringsMs: number, isUp = true) {
    const call: VideoCall = {
      id: 1,
      vet: 'Dr Naledi Demo',
      rung_at: new Date().toISOString(),
      answered_at: null,
      owner_device: null,
      vet_device: null,
    }
    Object.assign(world, {
      call,
      joins: { owner: 0, vet: 0 },
      joinTakesMs: 0,
      failedJoins: 0,
      listeners: [],
      reconnected: [],
      isUp,
      takesMs: 1000,
      peers: {},
    })
    stores = [open('vet')]
    await pass(ringsMs)
    stores.push(open('owner'))
    await pass(2000)
  }

  beforeEach(async () => {
    vi.useFakeTimers()
    const timer = setInterval(weather, 500)
    await connect(100)
    return () => clearInterval(timer)
  })
  afterEach(() => {
    for (const store of stores) store.stop()
  })

  it('a call that lost its connection comes back after a minute on a network that takes nine seconds to connect', async () => {
    expect(phases(...stores)).toEqual(['on', 'on'])
    world.isUp = false
    await pass(MINUTE)
    // One of the two may be offline, and that isn't a network that blocks calls.
    expect(phases(...stores)).toEqual(['lost', 'lost'])
    Object.assign(world, { isUp: true, takesMs: 9000 })
    await pass(35_000)
    expect(phases(...stores)).toEqual(['on', 'on'])
  })

  it('a call that lost its connection says that nothing gets through only if nothing ever did', async () => {
    for (const store of stores) store.stop()
    await connect(100, false)
    expect(phases(...stores)).toEqual(['connecting', 'connecting'])
    await pass(30_000)
    expect(phases(...stores)).toEqual(['unreachable', 'unreachable'])
  })

  it('a call that lost its connection tries another route first, without new credentials', async () => {
    world.isUp = false
    await pass(8000)
    world.isUp = true
    await pass(2000)
    expect(phases(...stores)).toEqual(['on', 'on'])
    expect(world.joins).toEqual({ owner: 1, vet: 1 })
  })

  it('a call that lost its connection isn’t called slow because it begins with a small picture again', async () => {
    world.isUp = false
    await pass(30_000)
    world.isUp = true
    await pass(3000)
    const [, owners] = stores
    const state = { ...owners!.state(), camera: true }
    expect(state).toMatchObject({ phase: 'on', step: 'small' })
    const show = (slow: boolean) => (
      <Trouble store={owners!} state={slow ? { ...state, slow } : state} called="Dr Demo" onText={() => {}} />
    )
    mount([show(false), <p key="end">Nothing else</p>])
    await expect.element(page.getByText('Nothing else')).toBeVisible()
    expect(page.getByText('Your network is slow').query()).toBeNull()
    mount(show(true))
    await expect.element(page.getByText('Your network is slow')).toBeVisible()
  })

  it('a call that lost its connection starts again on the vet’s side alone, and the owner’s page asks for credentials once each time', async () => {
    world.isUp = false
    await pass(30_000)
    expect(world.joins).toEqual({ owner: 3, vet: 3 })
  })

  it('a call that lost its connection starts again straight away when the owner’s phone wakes after a minute', async () => {
    const before = world.call['owner_device']
    const [vets, owners] = world.listeners
    // Meanwhile the vet's page starts again and again, and its signals are lost.
    Object.assign(world, { isUp: false, isAsleep: true, listeners: [vets] })
    await pass(63_000)
    expect(world.call['owner_device']).toBe(before)
    Object.assign(world, { isUp: true, isAsleep: false, listeners: [vets, owners] })
    world.reconnected[1]!()
    await pass(3000)
    expect(world.call['owner_device']).not.toBe(before)
    expect(phases(...stores)).toEqual(['on', 'on'])
  })

  it('a call that lost its connection joins again when a busy server couldn’t let it back in', async () => {
    world.failedJoins = 2
    world.reconnected[1]!()
    await pass(5000)
    expect(world.joins.owner).toBe(4)
    await pass(MINUTE)
    expect(world.joins.owner).toBe(4)
  })

  it('a call that lost its connection leaves although the server lets it back in only after that', async () => {
    world.joinTakesMs = 3000
    world.reconnected[1]!()
    await pass(100)
    stores[1]!.leave()
    await pass(5000)
    expect(world.call['owner_device']).toBeNull()
  })

  it('a call that lost its connection starts once, however long it rang', async () => {
    for (const store of stores) store.stop()
    await connect(30_000)
    expect(phases(...stores)).toEqual(['on', 'on'])
    expect(world.joins).toEqual({ owner: 1, vet: 1 })
  })

  it('a call that lost its connection hears the offer of a page that it learns of by that offer', async () => {
    const { owner_device: to } = world.call
    Object.assign(world.call, { vet_device: 'the next page' })
    const offer = { description: { type: 'offer', sdp: '' } }
    world.signal({ from: 'the next page', to, n: 1, signals: [offer] })
    await pass(100)
    expect(world.heard).toEqual([offer])
  })

  it('a call that lost its connection turns the camera off when nobody has seen the page for a minute', async () => {
    const media = document.createElement('canvas').captureStream()
    const own = openCallStore({
      consultation: CONSULTS.owner,
      side: 'owner',
      media,
      wanted: {},
      soundOnly: false,
    })
    stores.push(own)
    const sight = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(59_000)
    expect(own.state().camera).toBe(true)
    await pass(2000)
    expect(own.state()).toMatchObject({ camera: false, hidden: true })
    expect(media.getVideoTracks()[0]!.readyState).toBe('ended')
    sight.mockRestore()
  })
})

describe('the camera of a call [CON-5]', () => {
  const { mediaDevices } = navigator
  /** A camera of this device, or an error of this name instead. */
  const cameraAs = (settings: MediaTrackSettings) => {
    const stream = document.createElement('canvas').captureStream()
    const [track] = stream.getVideoTracks()
    vi.spyOn(track!, 'getSettings').mockReturnValue(settings)
    return stream
  }
  const gives = (...given: (MediaTrackSettings | string)[]) =>
    vi.spyOn(mediaDevices, 'getUserMedia').mockImplementation(async () => {
      const next = given.length > 1 ? given.shift()! : given[0]!
      if (typeof next === 'string') throw new DOMException('', next)
      return cameraAs(next)
    })
  const has = (...ids: string[]) =>
    vi
      .spyOn(mediaDevices, 'enumerateDevices')
      .mockResolvedValue(ids.map((deviceId) => ({ kind: 'videoinput', deviceId }) as MediaDeviceInfo))
  const start = (media: MediaStream, wanted = {}) =>
    openCallStore({ consultation: CONSULTS.owner, side: 'owner', media, wanted, soundOnly: false })

  const front = { facingMode: 'user', deviceId: 'a' }
  const back = { facingMode: 'environment', deviceId: 'b' }
  let store: CallStore
  afterEach(() => store.stop())

  it('the camera of a call switches to the back of a phone once the front one is free, and stays there', async () => {
    has('a', 'b')
    const asked = gives(back)
    const media = cameraAs(front)
    const [first] = media.getVideoTracks()
    store = start(media, { camera: 'a' })
    await expect.poll(() => store.state().switches).toBe(true)
    asked.mockImplementationOnce(async () => {
      expect(first!.readyState).toBe('ended')
      return cameraAs(back)
    })
    await store.switchCamera()
    expect(asked.mock.lastCall![0]!.video).toMatchObject({ facingMode: 'environment' })
    expect(store.state()).toMatchObject({ camera: true, facing: 'environment' })
    await store.setCamera(false)
    await store.setCamera(true)
    expect(asked.mock.lastCall![0]!.video).toMatchObject({ facingMode: 'environment' })
  })

  it('the camera of a call goes round the cameras of a computer, though one was chosen in the check', async () => {
    has('a', 'b')
    const asked = gives({ deviceId: 'b' }, { deviceId: 'a' })
    store = start(cameraAs({ deviceId: 'a' }), { camera: 'a' })
    for (const next of ['b', 'a']) {
      await store.switchCamera()
      expect(asked.mock.lastCall![0]!.video).toMatchObject({ deviceId: { exact: next } })
    }
    expect(store.state().facing).toBe('user')
  })

  it('the camera of a call stays the same when the other one doesn’t start', async () => {
    has('a', 'b')
    gives('NotReadableError', front)
    store = start(cameraAs(front))
    await store.switchCamera()
    expect(store.state()).toMatchObject({ camera: true, facing: 'user' })
  })

  it('the camera of a call has no switch on a device with one camera', async () => {
    const list = has('a')
    store = start(cameraAs(front))
    await list.mock.results[0]!.value
    expect(store.state().switches).toBe(false)
  })

  it.each(['NotAllowedError', 'NotFoundError', 'NotReadableError'])(
    'the camera of a call says why it can’t be turned on: %s',
    async (name) => {
      has('a')
      gives(name, front)
      store = start(new MediaStream())
      await store.setCamera(true)
      expect(store.state()).toMatchObject({ camera: false, broken: troubleOf(new DOMException('', name)) })
      await store.setCamera(true)
      expect(store.state()).toMatchObject({ camera: true, broken: null })
    },
  )

  it('the camera of a call says that it was unplugged', async () => {
    has('a')
    const media = cameraAs(front)
    store = start(media)
    media.getVideoTracks()[0]!.dispatchEvent(new Event('ended'))
    await expect.poll(() => store.state()).toMatchObject({ camera: false, broken: 'missing' })
  })
})

describe('the microphone of a call [CON-5]', () => {
  const { mediaDevices } = navigator
  const aMicrophone = () => new AudioContext().createMediaStreamDestination().stream
  let store: CallStore
  afterEach(() => store.stop())

  const Shown = () => <Trouble store={store} state={useCallState(store)} called="Thandi" onText={() => {}} />
  /** A vet's call, and the track of its microphone. */
  function start() {
    const media = aMicrophone()
    Object.assign(world, { call: { id: 1, owner_device: null }, notes: [], peers: {} })
    store = openCallStore({ consultation: CONSULTS.vet, side: 'vet', media, wanted: {}, soundOnly: false })
    mount(<Shown />)
    return media.getAudioTracks()[0]!
  }
  const says = (words: string | RegExp) => expect.element(page.getByText(words)).toBeVisible()
  const isGone = (words: string) => expect.element(page.getByText(words)).not.toBeInTheDocument()
  const told = () => world.notes.at(-1)

  it('the microphone of a call says that a phone call is using it, and tells the other side until that is over', async () => {
    const track = start()
    await expect.poll(() => world.peers['vet']?.open).toBe(true)
    const muted = vi.spyOn(track, 'muted', 'get').mockReturnValue(true)
    track.dispatchEvent(new Event('mute'))
    await says('Your device has paused your sound or picture')
    expect(told()).toMatchObject({ state: { muted: true } })
    muted.mockReturnValue(false)
    track.dispatchEvent(new Event('unmute'))
    await isGone('Your device has paused your sound or picture')
    expect(told()).toMatchObject({ state: { muted: false } })
  })

  it('the microphone of a call stays off over a reload, and not in another consult', async () => {
    start()
    await expect.poll(() => world.peers['vet']?.open).toBe(true)
    store.setMuted(true)
    // The page that is reloaded stops nothing.
    const before = store
    const track = start()
    expect([store.state().muted, track.enabled]).toEqual([true, false])
    const media = aMicrophone()
    const other = {
      consultation: CONSULTS.owner,
      side: 'owner',
      media,
      wanted: {},
      soundOnly: false,
    } as const
    const another = openCallStore(other)
    expect([another.state().muted, media.getAudioTracks()[0]!.enabled]).toEqual([false, true])
    for (const one of [before, another]) one.stop()
  })

  it('the microphone of a call says that it stopped although the camera failed too, and uses one that is connected later', async () => {
    const asked = vi.spyOn(mediaDevices, 'getUserMedia')
    asked.mockRejectedValue(new DOMException('', 'NotFoundError'))
    const track = start()
    await expect.poll(() => world.peers['vet']?.open).toBe(true)
    track.dispatchEvent(new Event('ended'))
    await says('Your microphone stopped')
    await store.setCamera(true)
    await says(/Connect it again, or write: Thandi can read your messages\.$/)
    expect(told()).toMatchObject({ state: { muted: true } })

    await page.getByRole('button', { name: 'Try again' }).click()
    await says('Your microphone stopped')
    asked.mockImplementation(async () => aMicrophone())
    mediaDevices.dispatchEvent(new Event('devicechange'))
    await isGone('Your microphone stopped')
    await says('We couldn’t find a camera')
    expect(told()).toMatchObject({ state: { muted: false } })
  })
})

it('with large text on a small phone, every key of a call that is lost stays in reach [CON-5]', async () => {
  await page.viewport(360, 640)
  document.documentElement.style.fontSize = '200%'
  Object.assign(world, { call: { id: 1, owner_device: null, vet_device: 'the-vets-page' }, peers: {} })
  const owners = { consultation: CONSULTS.owner, side: 'owner', wanted: {}, soundOnly: false } as const
  const store = openCallStore({ ...owners, media: new MediaStream() })
  const words = { name: 'Dr Naledi Demo', called: 'Dr Demo', face: null, chat: null }
  const never = () => {}
  mount(<Call store={store} {...words} unread={0} news={undefined} onText={never} onPhoto={never} />)
  await expect.poll(() => world.peers['owner']?.open).toBe(true)
  world.peers['owner']!.say('connected')
  world.peers['owner']!.say('disconnected')
  await expect.element(page.getByText('Connection lost. Trying again.')).toBeVisible()
  for (const key of page.getByRole('toolbar').getByRole('button').elements()) {
    const { top, bottom, left, right } = key.getBoundingClientRect()
    expect([top >= 0, bottom <= 640, left >= 0, right <= 360]).toEqual([true, true, true, true])
  }
  store.stop()
})
