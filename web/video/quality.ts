import { countData } from '../lib/data-used.ts'
import type { CallState } from './call-state.ts'
import { savesData } from './media.ts'
import type { Peer } from './peer.ts'
import { totalsOf } from './stats.ts'
import { begin, climb, PICTURES, SOUND_KBPS, type Step } from './quality-steps.ts'

/** What a page tells the other about what it receives. */
export interface Heard {
  frozen: number
  loss: number
}

interface QualityOptions {
  state: () => CallState
  set: (change: Partial<CallState>) => void
  peer: () => Peer | undefined
  picture: () => MediaStreamTrack | null
  onStep: () => void
}

/** Measures the connection and decides how much this page sends. */
export function openQuality({ state, set, peer, picture, onStep }: QualityOptions) {
  let ladder = begin(state().soundOnly ? 'sound' : savesData() ? 'small' : 'video')
  let before: Awaited<ReturnType<typeof totalsOf>> | undefined
  let heardThere: Heard = { frozen: 0, loss: 0 }
  let theyWant: Step = 'full'
  let isSampling = false

  const most = (): Step => (state().soundOnly || theyWant === 'sound' ? 'sound' : 'full')

  async function sample() {
    const { pc } = peer() ?? {}
    if (!pc || pc.connectionState !== 'connected' || isSampling) return
    isSampling = true
    const now = await totalsOf(pc).catch(() => undefined)
    isSampling = false
    if (!now || pc !== peer()?.pc) return
    const was = before ?? now
    const bytes = before ? Math.max(0, now.bytes - before.bytes) : now.bytes
    before = now
    countData(bytes)
    const [lost, received] = [now.lost - was.lost, now.received - was.received]
    const loss = lost > 0 ? lost / (lost + received) : 0
    const frozen = now.frozenMs - was.frozenMs
    peer()?.note({ heard: { frozen, loss } })
    const needed = (PICTURES[ladder.step]?.kbps ?? 0) + SOUND_KBPS
    ladder = climb(
      ladder,
      {
        loss: Math.max(now.lossThere, heardThere.loss),
        rtt: now.rtt,
        frozen: heardThere.frozen,
        starved: now.room !== undefined && now.room < needed * 500,
      },
      most(),
    )
    set({ bytes: state().bytes + bytes, relayed: now.relayed, hopeless: ladder.hopeless })
    if (ladder.step !== state().step) await apply()
  }

  /** Makes the connection send as much as the ladder says. */
  async function apply() {
    const { step, slow } = ladder
    const size = PICTURES[step]
    const height = picture()?.getSettings().height ?? 720
    const width = picture()?.getSettings().width ?? height
    set({ step, slow })
    onStep()
    await peer()?.limit('audio', { maxBitrate: SOUND_KBPS * 1000, priority: 'high', networkPriority: 'high' })
    await peer()?.limit('video', {
      active: size !== null,
      ...(size && {
        maxBitrate: size.kbps * 1000,
        maxFramerate: size.framerate,
        scaleResolutionDownBy: Math.max(1, Math.min(height, width) / size.height),
      }),
    })
  }

  /** Starts again low. Sound alone stays sound alone while somebody wants no more. */
  function startLow() {
    ladder = begin(most() === 'sound' ? 'sound' : 'small')
  }

  return {
    sample,
    apply,
    startLow,
    /** Forgets the totals of the connection before. */
    forget() {
      before = undefined
    },
    hear(heard: Heard) {
      heardThere = heard
    },
    want(step: Step) {
      if (step === theyWant) return
      theyWant = step
      if (step !== 'sound' && (ladder.step !== 'sound' || state().soundOnly)) return
      startLow()
      void apply()
    },
  }
}
