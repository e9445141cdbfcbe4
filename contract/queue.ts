import * as z from 'zod'
import { call, event, push } from './call.ts'
import { Consultation, Room } from './consultations.ts'
import { id, isoTime, nothing, text } from './fields.ts'
import * as lengths from './lengths.ts'

/* Which vet has a case, and which vets are on duty. */

const one = z.object({ consultation: Room })

export const takeConsultation = call('POST', '/consultation/:id/take', {
  summary: 'A vet takes a waiting case or a follow-up question; if two try at the same moment, one gets it',
  access: ['vet'],
  input: z.object({ id }),
  output: one,
})

export const handBackConsultation = call('POST', '/consultation/:id/hand-back', {
  summary: 'The vet returns the case to its place in the queue, with a message for the next vet',
  access: ['vet'],
  input: z.object({ id, note: text(lengths.handOver) }),
  output: nothing,
})

export const handOverConsultation = call('POST', '/consultation/:id/hand-over', {
  summary: 'The vet hands the case over to a colleague on duty, with a message',
  access: ['vet'],
  input: z.object({ id, vet_id: id, note: text(lengths.handOver) }),
  output: nothing,
})

/** When a vet has had a follow-up question for this long, it goes into everyone's queue. */
export const FOLLOW_UP_MINUTES = 15

export const listFollowUps = call('GET', '/queue/follow-ups', {
  summary: 'Questions after the end that no vet has answered, emergencies first, then the longest wait',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(
    z.object({
      /** Its urgency is the question's. */
      consultation: Consultation,
      asked_at: isoTime,
      /** The vet on duty who has the question; null if it's in everyone's queue. */
      vet_id: z.number().nullable(),
    }),
  ),
})

export const settleFollowUp = call('POST', '/consultation/:id/settle', {
  summary: "The vet says that the owner's last message needs no answer",
  access: ['vet'],
  input: z.object({ id }),
  output: nothing,
})

export const setDuty = call('POST', '/duty', {
  summary: 'Put a vet on or off duty; a repeated call says that they are still there',
  access: ['vet'],
  input: z.object({ on: z.boolean() }),
  output: z.object({ since: isoTime.nullable() }),
})

/** When a vet on duty hasn't been heard from for this long, their cases return to the queue. */
export const VET_GONE_MINUTES = 3

/** An open page reports at least this often that it is open. */
export const HERE_SECONDS = 60
/** A page counts as open for this long after its last report. */
export const HERE_MS = 1.5 * HERE_SECONDS * 1000

export const lookAt = event('lookAt', {
  summary: 'Which consult this page has open: a vet is with one owner at a time',
  access: ['owner', 'guest', 'vet'],
  input: z.object({ consultation: id.nullable(), here: z.boolean() }),
  output: nothing,
})

/** The vet opened this consult or another one, or the owner came or left. */
export const someoneMoved = push('someoneMoved', z.object({ consultation: z.number() }))

export const listOwnersHere = call('GET', '/queue/owners-here', {
  summary: 'The open consults whose owner has the page open now',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(z.number()),
})

export const SNOOZE_MINUTES = 30

export const snoozeConsultation = call('POST', '/consultation/:id/snooze', {
  summary: "Put a case out of its vet's way until the owner writes or half an hour has passed",
  access: ['vet'],
  input: z.object({ id, on: z.boolean() }),
  output: nothing,
})

export const listDuty = call('GET', '/duty', {
  summary: 'The vets on duty and how many cases each has',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(z.object({ id: z.number(), name: z.string(), since: isoTime, cases: z.number() })),
})

export const queueStatus = call('GET', '/queue/status', {
  summary: 'Whether a consult can start now, before anybody types or pays',
  access: 'anyone',
  input: nothing,
  output: z.object({
    /** According to the region's hours. */
    open: z.boolean(),
    on_duty: z.boolean(),
    vets: z.number(),
    /** Expected minutes until a vet joins a consult that starts now; null while closed or nobody is on duty. */
    minutes: z.tuple([z.number(), z.number()]).nullable(),
    /** When the next vet on the roster begins, while nobody is on duty. */
    next: isoTime.nullable(),
    /** The region's hours in words; null where it is always open. */
    hours: z.string().nullable(),
  }),
})
