import type { VideoCall } from '#contract/video.ts'
import type { Trouble } from './media.ts'
import type { Step } from './steps.ts'

export type Phase =
  | 'ringing'
  | 'coming'
  | 'connecting'
  | 'on'
  | 'lost'
  | 'unreachable'
  /** The owner left and may come back. */
  | 'alone'
  /** The call is over for this page, with or without a reason to show. */
  | 'over'
  | 'moved'
  | 'refused'

/** A circle on the owner's picture, in fractions of its width. */
export interface Circle {
  x: number
  y: number
  r: number
}

export interface CallState {
  phase: Phase
  /** The server's sentence when it refused. */
  refusal: string
  call: VideoCall | null
  local: MediaStream | null
  remote: MediaStream | null
  muted: boolean
  camera: boolean
  facing: 'user' | 'environment'
  /** Whether there is another camera to switch to. */
  switches: boolean
  /** The camera was turned off because the page was hidden. */
  hidden: boolean
  /** Why the camera can't be turned on. */
  broken: Trouble | null
  /** The microphone stopped working, and there is no other. */
  unheard: boolean
  /** The device keeps sound or picture from this page for now, such as during a phone call. */
  held: boolean
  step: Step
  /** The step is low because of the network. */
  slow: boolean
  hopeless: boolean
  /** The person wants neither to send nor to receive a picture. */
  soundOnly: boolean
  theirs: { muted: boolean; camera: boolean; step: Step; slow: boolean }
  connectedAt: number | undefined
  lostAt: number | undefined
  bytes: number
  relayed: boolean
  circle: Circle | null
  /** The vet has asked for a photo, and the owner hasn't answered. */
  asksPhoto: boolean
  /** Whether the conversation is open beside the picture. */
  chat: boolean
}

export const BEGINNING: CallState = {
  phase: 'connecting',
  refusal: '',
  call: null,
  local: null,
  remote: null,
  muted: false,
  camera: false,
  facing: 'user',
  switches: false,
  hidden: false,
  broken: null,
  unheard: false,
  held: false,
  step: 'video',
  slow: false,
  hopeless: false,
  soundOnly: false,
  theirs: { muted: false, camera: true, step: 'video', slow: false },
  connectedAt: undefined,
  lostAt: undefined,
  bytes: 0,
  relayed: false,
  circle: null,
  asksPhoto: false,
  chat: false,
}

/**
 * After this long without ever a connection, the page says that a call isn't possible here, but keeps trying. If there
 * was one, either side may just be offline.
 */
const UNREACHABLE_AFTER_MS = 25_000

/** The phase without a connection. `waits` is how long both pages have been in the call; undefined while one isn't. */
export function phaseWithout(
  waits: number | undefined,
  { side, call, connectedAt }: Pick<CallState, 'call' | 'connectedAt'> & { side: 'owner' | 'vet' },
): Phase {
  if (waits !== undefined && connectedAt !== undefined) return 'lost'
  if (waits !== undefined) return waits > UNREACHABLE_AFTER_MS ? 'unreachable' : 'connecting'
  if (side === 'owner') return 'connecting'
  if (connectedAt !== undefined) return 'alone'
  return call?.answered_at ? 'coming' : 'ringing'
}
