import type { VideoCall } from '#contract/video.ts'
import type { Trouble } from './media.ts'
import type { Step } from './quality-steps.ts'

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

export type CallState = typeof BEGINNING
export const BEGINNING = {
  phase: 'connecting' as Phase,
  /** The server's sentence when it refused. */
  refusal: '',
  call: null as VideoCall | null,
  local: null as MediaStream | null,
  remote: null as MediaStream | null,
  muted: false,
  camera: false,
  facing: 'user' as 'user' | 'environment',
  /** Whether there is another camera to switch to. */
  switches: false,
  /** The camera was turned off because the page was hidden. */
  hidden: false,
  /** Why the camera can't be turned on. */
  broken: null as Trouble | null,
  /** The microphone stopped working, and there is no other. */
  unheard: false,
  /** The device keeps sound or picture from this page for now, such as during a phone call. */
  held: false,
  step: 'video' as Step,
  /** The step is low because of the network. */
  slow: false,
  hopeless: false,
  /** The person wants neither to send nor to receive a picture. */
  soundOnly: false,
  theirs: { muted: false, camera: true, step: 'video' as Step, slow: false },
  connectedAt: undefined as number | undefined,
  lostAt: undefined as number | undefined,
  bytes: 0,
  relayed: false,
  circle: null as Circle | null,
  /** The vet has asked for a photo, and the owner hasn't answered. */
  asksPhoto: false,
  /** Whether the conversation is open beside the picture. */
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
