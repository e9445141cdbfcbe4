import * as z from 'zod'
import { call } from './call.ts'
import { Room } from './consultations.ts'
import { id, isoTime, nothing, text } from './fields.ts'

/* Who of the vets has a case, and who of them is here. */

const one = z.object({ consultation: Room })

export const takeConsultation = call({
  method: 'POST',
  path: '/consultation/:id/take',
  summary: 'A vet takes a case that waits; of two at once one gets it',
  access: ['vet'],
  input: z.object({ id }),
  output: one,
})

export const handBackConsultation = call({
  method: 'POST',
  path: '/consultation/:id/hand-back',
  summary: 'The vet who has it puts it back into the line, at its place and with a word for who comes next',
  access: ['vet'],
  input: z.object({ id, note: text(2000) }),
  output: nothing,
})

export const handOverConsultation = call({
  method: 'POST',
  path: '/consultation/:id/hand-over',
  summary: 'The vet who has it hands it to a colleague on duty, with a word',
  access: ['vet'],
  input: z.object({ id, vet_id: id, note: text(2000) }),
  output: nothing,
})

export const setDuty = call({
  method: 'POST',
  path: '/duty',
  summary: 'A vet goes on or off duty; said again it means that they are still there',
  access: ['vet'],
  input: z.object({ on: z.boolean() }),
  output: z.object({ since: isoTime.nullable() }),
})

/** A vet on duty who says nothing for this long is gone: their cases go back to the line. */
export const VET_GONE_MINUTES = 3

export const listDuty = call({
  method: 'GET',
  path: '/duty',
  summary: 'The vets on duty and how many cases each has',
  access: ['vet', 'admin'],
  input: nothing,
  output: z.array(z.object({ id: z.number(), name: z.string(), since: isoTime, cases: z.number() })),
})

export const lineStatus = call({
  method: 'GET',
  path: '/line/status',
  summary: 'Whether a consult can be begun now, before anybody types or pays',
  access: 'anyone',
  input: nothing,
  output: z.object({
    /** By the region's hours. */
    open: z.boolean(),
    /** A vet is there. */
    on_duty: z.boolean(),
    /** What to tell who comes now; empty while all is well. */
    says: z.string(),
  }),
})

export const getWaitAccuracy = call({
  method: 'GET',
  path: '/line/accuracy',
  summary: 'How the waits that owners were told compare with those they had',
  access: ['admin'],
  input: z.object({ days: id.pipe(z.int().max(90)).default(7) }),
  output: z.object({
    days: z.number(),
    /** Consults that were told a range and then taken by a vet. */
    told: z.number(),
    sooner: z.number(),
    within: z.number(),
    later: z.number(),
    /** Of those that came later, by how many minutes in the middle case. */
    median_late_minutes: z.number().nullable(),
  }),
})
