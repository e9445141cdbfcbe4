import * as z from 'zod'
import { call, event, push } from './call.ts'
import { id, isoTime, nothing, whole } from './fields.ts'

/* Video calls in a consult: ringing, joining and leaving, and the signals between the two pages. */

/** The owner or guest of a consult and its vet; the server checks more closely at every event. */
const inCall = ['owner', 'guest', 'vet', 'admin'] as const

/** A ring that nobody answers becomes a message after this long. */
export const RING_SECONDS = 45
/** Each side reports this often that it is still there. */
export const HOLD_SECONDS = 15
/** A call ends when its vet wasn't heard from for this long: enough to reload a page or restart a phone's browser. */
export const VET_GONE_SECONDS = 60
/** Relay credentials can start a connection for at least this long, and at most for an hour more. */
export const RELAY_HOURS = 1

/** A page that takes part in a call. Each load of a page is a new one, so a reload or another device takes over. */
const device = z.string().regex(/^[\w-]{8,64}$/)

const VideoCall = z.object({
  id: z.number(),
  vet: z.string(),
  rung_at: isoTime,
  answered_at: isoTime.nullable(),
  /** The page of each side that is in the call. */
  owner_device: z.string().nullable(),
  vet_device: z.string().nullable(),
})
export type VideoCall = z.infer<typeof VideoCall>

const IceServer = z.object({
  urls: z.array(z.string()),
  username: z.string().optional(),
  credential: z.string().optional(),
})
/** How the two sides can reach each other. */
const Ways = z.object({
  ice_servers: z.array(IceServer),
  /** Connects only through the relay, which hides both sides' addresses from each other. */
  relay_only: z.boolean(),
})
export type Ways = z.infer<typeof Ways>

/** What one browser tells the other to make a connection: a session description or a network candidate. */
const Signal = z.object({
  description: z.object({ type: z.enum(['offer', 'answer']), sdp: z.string().max(30_000) }).optional(),
  candidate: z
    .object({
      candidate: z.string().max(1000),
      sdpMid: z.string().max(40).nullable(),
      sdpMLineIndex: z.number().nullable(),
      usernameFragment: z.string().max(300).nullable(),
    })
    .optional(),
})
export type Signal = z.infer<typeof Signal>

const open = z.object({ call: VideoCall.nullable() })
const own = z.object({ consultation: id, device })

export const getCall = call('GET', '/consultation/:consultation/call', {
  summary: 'The open video call of a consult and its connection details, for the two people who can be in it',
  access: inCall,
  input: z.object({ consultation: id }),
  output: open.extend(Ways.shape),
})

export const joinCall = event('joinCall', {
  summary: "The vet rings, or either side joins the open call; the same side's earlier page is told to stop",
  access: inCall,
  /** With `call`, a page rejoins that call and never starts a new ring. */
  input: own.extend({ call: id.optional() }),
  output: z.object({ call: VideoCall }).extend(Ways.shape),
})

export const answerCall = event('answerCall', {
  summary: 'The owner is on the way to the call, or declines it',
  access: inCall,
  input: z.object({ consultation: id, comes: z.boolean() }),
  output: open,
})

export const holdCall = event('holdCall', {
  summary: 'Say that this page is still in the call; returns the call as it is now',
  access: inCall,
  input: own,
  output: open,
})

export const leaveCall = event('leaveCall', {
  summary: 'Leave the call. The owner can come back while the vet is in it; without the vet it is over',
  access: inCall,
  input: own,
  output: nothing,
})

export const sendSignals = event('sendSignals', {
  summary: 'Send signals to the other page of the call, in order',
  access: inCall,
  /** `n` grows with every batch, so that a batch sent twice counts once. */
  input: own.extend({ to: device, n: whole(1), signals: z.array(Signal).max(40) }),
  output: nothing,
})

/** Tells the room that a call began, changed or ended. */
export const callChanged = push(
  'callChanged',
  z.object({ consultation: z.number(), call: VideoCall.nullable() }),
)
/** Sent only to the page that the signals are for. */
export const signalled = push(
  'signalled',
  z.object({
    consultation: z.number(),
    from: z.string(),
    to: z.string(),
    n: z.number(),
    signals: z.array(Signal),
  }),
)
