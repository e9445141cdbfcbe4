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
  /** The owner left, and can come back. */
  | 'alone'
  /** Over for this page, with or without a reason to say. */
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
  /** What the server said when it refused. */
  refusal: string
  call: VideoCall | null
  local: MediaStream | null
  remote: MediaStream | null
  muted: boolean
  camera: boolean
  facing: 'user' | 'environment'
  /** There is another camera to switch to. */
  switches: boolean
  /** The camera was turned off because nobody looked at the page. */
  hidden: boolean
  /** Why the camera can't be turned on, or that the microphone stopped. */
  broken: Trouble | 'unheard' | null
  step: Step
  hopeless: boolean
  /** The person wants no picture, neither to send nor to receive. */
  soundOnly: boolean
  theirs: { muted: boolean; camera: boolean; step: Step }
  connectedAt: number | undefined
  lostAt: number | undefined
  bytes: number
  relayed: boolean
  circle: Circle | null
  /** The vet has asked for a photo. */
  asksPhoto: boolean
  /** The conversation is open beside the picture. */
  chat: boolean
}

/** What a call is like before anything is known of it. */
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
  step: 'video',
  hopeless: false,
  soundOnly: false,
  theirs: { muted: false, camera: true, step: 'video' },
  connectedAt: undefined,
  lostAt: undefined,
  bytes: 0,
  relayed: false,
  circle: null,
  asksPhoto: false,
  chat: false,
}

/** After this long the page says that it can't be done here, and keeps trying. */
const UNREACHABLE_AFTER_MS = 25_000

/** Where things stand without a connection. `waits`: for how long both pages have been there; undefined while one isn't. */
export function phaseWithout(
  waits: number | undefined,
  { side, call, connectedAt }: Pick<CallState, 'call' | 'connectedAt'> & { side: 'owner' | 'vet' },
): Phase {
  if (waits !== undefined && waits > UNREACHABLE_AFTER_MS) return 'unreachable'
  if (waits !== undefined) return connectedAt === undefined ? 'connecting' : 'lost'
  if (side === 'owner') return 'connecting'
  if (connectedAt !== undefined) return 'alone'
  return call?.answered_at ? 'coming' : 'ringing'
}
