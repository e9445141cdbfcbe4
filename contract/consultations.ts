import * as z from 'zod'
import { call, push } from './call.ts'
import { sentenceOf } from './errors.ts'
import {
  agreement,
  changedText,
  currency,
  id,
  idOf,
  isoTime,
  nothing,
  optionalText,
  text,
  whole,
} from './fields.ts'
import * as lengths from './lengths.ts'
import { confirmation } from './human.ts'
import { addMinutes } from './time.ts'
import { Flag, LevelRead, LEVELS, signs, Urgency } from './urgency.ts'

/* A consult: starting, opening, cancelling and rating it, and who of our people has opened it. */

export const CONSULT_TYPES = { text: 1, video: 2, phone: 3 } as const

export const Consultation = z.object({
  id: z.number(),
  type: z.literal([1, 2, 3]),
  /** When it joined the queue, when a vet took it, when it ended. */
  start: isoTime,
  vet_start: isoTime.nullable(),
  /** When its first vet took it, even if another has it now. */
  first_taken_at: isoTime.nullable(),
  /** For its vet: the consult waits for the owner, until this time at most. */
  snoozed_until: isoTime.nullable(),
  end: isoTime.nullable(),
  vet_name: z.string().nullable(),
  /** For its vet, while it is open: the colleague who handed it over. */
  handed_over_by: z.string().nullable(),
  pet: z.object({ id: z.number().nullable(), name: z.string(), species_id: z.number().nullable() }),
  user: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
  pet_issue: z.string(),
  query: z.string(),
  outcome: z.string(),
  /** What the vet wrote for the owner, once it has ended. */
  summary: z.string().nullable(),
  /** For staff: how urgent it is, and why. */
  urgency: Urgency.nullable(),
  /** For staff, in lists: another vet ended it, so the question, the outcome and the summary are left out. */
  ended_by_another: z.boolean(),
  portalDetail: z.object({
    clinic_notified_at: isoTime.nullable(),
    clinic_accepted_at: isoTime.nullable(),
  }),
})
export type Consultation = z.infer<typeof Consultation>

/** If no vet joins within this time, the owner is told and the consult is free. */
export const PROMISED_MINUTES = 15
/** The time by which we promise a vet for a consult that began at `start`. */
export const promisedBy = (start: Date) => addMinutes(start, PROMISED_MINUTES)
export const isLate = (start: Date, now: Date) => promisedBy(start) <= now

/** What the owner reads: what it is, what to do, what to watch for, and when to go to a clinic straight away. */
const Advice = z.object({
  summary: z.string(),
  plan: z.string(),
  watch_for: z.string(),
  go_if: z.string(),
  at: isoTime,
})

export const checkInAnswer = z.enum(['better', 'same', 'worse'])
export type CheckInAnswer = z.infer<typeof checkInAnswer>

/** A consultation as its room needs it. */
export const Room = Consultation.extend({
  /** Who writes in it: the owner, and every vet who had it. */
  people: z.array(
    z.object({
      id: z.number(),
      side: z.enum(['owner', 'vet']),
      name: z.string(),
      /** The vet's number at the regulator. */
      registration: z.string().nullable(),
    }),
  ),
  vet_id: z.number().nullable(),
  /** Where its vet is: here, with another owner, elsewhere while on duty, or away since a time. */
  vet: z
    .object({ is: z.enum(['here', 'with_another', 'around', 'away']), since: isoTime.nullable() })
    .nullable(),
  /** When the owner's page last reported that it is open; null if it isn't. */
  owner_seen_at: isoTime.nullable(),
  /** Null once a vet has it. */
  waiting: z
    .object({
      /** 1 is next. */
      place: z.number(),
      /** Expected minutes until a vet joins, from and to; null while nobody is on duty. */
      minutes: z.tuple([z.number(), z.number()]).nullable(),
      /** When the next vet on the roster begins, while nobody is on duty. */
      next: isoTime.nullable(),
      promised_by: isoTime,
      late: z.boolean(),
    })
    .nullable(),
  /** Why it was flagged, and what to do, while it waits or since its owner wrote an emergency that its vet has yet to judge. */
  flag: Flag.nullable(),
  /** For staff: how it got its level. */
  level: LevelRead.nullable(),
  /** Whether a vet has had it, even if it waits again. After that, it isn't refunded for being late. */
  had_vet: z.boolean(),
  /** Whether a vet has written in it. After that, cancelling it refunds nothing automatically. */
  answered: z.boolean(),
  /** Bought without an account. */
  guest: z.boolean(),
  cancelled: z.boolean(),
  /** The owner left the page and wants a mail when a vet has joined. */
  mails_when_taken: z.boolean(),
  /** What the vet wrote for the owner. */
  advice: Advice.nullable(),
  rating: z.object({ stars: z.number(), words: z.string() }).nullable(),
  /** Until when the owner can still write after the end. */
  follow_up_until: isoTime.nullable(),
  /** The vet who took its follow-up question from the one who ended it. */
  follow_up_vet_id: z.number().nullable(),
  /** A question after the end that no vet has answered. */
  asked_again: z
    .object({
      at: isoTime,
      /** The vet on duty who has it; null while it is in everyone's queue. */
      vet_id: z.number().nullable(),
      vet_name: z.string().nullable(),
      /** Whether nobody is on duty, and when the next vet on the roster begins. */
      nobody: z.boolean(),
      next: isoTime.nullable(),
      /** Null if it can wait. */
      flag: Flag.nullable(),
    })
    .nullable(),
  /** How the pet is a day later, according to its owner; asked once the follow-up was sent. */
  check_in: z.object({ asked: z.boolean(), answer: checkInAnswer.nullable(), at: isoTime.nullable() }),
  /** The consult that this one reopened, and the one that reopened this one. */
  goes_on_from: z.number().nullable(),
  goes_on_in: z.number().nullable(),
  /** The clinic that the owner chose and agreed to share this consult with. */
  clinic: z.object({ id: z.number(), clinic: z.string(), shared_at: isoTime }).nullable(),
  /** What was paid for this consult alone; null for members, whose consults are part of the membership. */
  paid: z
    .object({
      amount: z.number(),
      currency,
      /** The amount refunded, and how much of it is still on its way. */
      refunded: z.number(),
      on_its_way: z.number(),
      /** The reason for the refund. */
      why: z.enum(['cancelled', 'late', 'by_us']).nullable(),
    })
    .nullable(),
})
export type Room = z.infer<typeof Room>

/** The same question within this time is the same consultation, so a double press starts only one. */
export const SAME_WITHIN_SECONDS = 60

/** How many open consults a person can have. */
export const MOST_OPEN = 3

const FILTERS = ['all', 'available', 'in_progress', 'completed'] as const
export const MOST_COUNTED = 1000

/** How staff can sort all consultations. A minus in front reverses the order. */
export const SORTS = ['id', '-id', 'pet', '-pet', 'type', '-type', 'vet', '-vet', 'start', '-start'] as const
export type Sort = (typeof SORTS)[number]

const missing = sentenceOf('CONSULT_DETAILS_MISSING')

export const listConsultations = call('GET', '/consultation', {
  summary: "The owner's consultations, newest first; for vets and admins, everybody's, longest wait first",
  access: ['owner', 'vet', 'admin'],
  input: z.object({
    /** Available means that no vet has it. */
    filter: z.enum(FILTERS).default('all'),
    /** The beginning of a name, an email or a pet's name, or a consult's number. */
    q: optionalText(lengths.search).optional(),
    /** For staff; without it, the longest wait comes first. */
    sort: z.enum(SORTS).optional(),
    cursor: z.string().max(60).optional(),
    limit: id.pipe(z.int().max(100)).default(50),
  }),
  output: z.object({
    consultations: z.array(Consultation),
    /** Where the next page begins. */
    next: z.string().nullable(),
    /** Completed ones are counted up to MOST_COUNTED. */
    counts: z.object({ needs_help: z.number(), in_progress: z.number(), completed: z.number() }),
  }),
})

export const startConsultation = call('POST', '/consultation', {
  summary: 'Join the queue with a pet and a question; members only',
  access: ['owner'],
  input: z.object({
    pet_id: idOf(missing),
    pet_issue: text(lengths.issue, missing),
    type: id.pipe(z.literal([1, 2])),
    /** The signs that the owner ticked. */
    signs,
    ...agreement,
  }),
  output: z.object({ consultation: z.object({ id: z.number() }) }),
})

/** An open consult, as shown on pages that link back to it. */
export const OpenConsult = Consultation.pick({
  id: true,
  type: true,
  start: true,
  vet_start: true,
  vet_name: true,
  pet: true,
  pet_issue: true,
}).extend({
  /** How many of the vet's messages the owner hasn't seen, and the beginning of the latest. */
  unread: z.number(),
  said: z.string(),
})
export type OpenConsult = z.infer<typeof OpenConsult>

export const listOpen = call('GET', '/consultation/open', {
  summary: "The owner's open consults, or the guest's one while it is open, newest first",
  access: ['owner', 'guest'],
  input: nothing,
  output: z.array(OpenConsult),
})

const one = z.object({ consultation: Room })

export const getConsultation = call('GET', '/consultation/:id', {
  summary: 'One consultation, for its owner, its guest, vets and admins',
  access: ['owner', 'guest', 'vet', 'admin'],
  files: 'opened',
  /** A vet who opens another vet's ended consult gives a reason, which the owner can see. */
  input: z.object({ id, why: optionalText(lengths.reason).optional() }),
  output: one,
})

export const changeLevel = call('POST', '/consultation/:id/level', {
  summary: 'A vet raises or lowers the urgency of an open consult; the earlier level stays on record',
  access: ['vet'],
  input: z.object({
    id,
    /** The level that the vet saw. */
    from: z.enum(LEVELS),
    to: z.enum(LEVELS),
    reason: text(lengths.reason, sentenceOf('LEVEL_REASON_MISSING')),
  }),
  output: one,
})

export const cancelConsultation = call('POST', '/consultation/:id/cancel', {
  summary:
    'The owner leaves the queue while no vet has the consult; it is refunded automatically unless a vet has written in it',
  access: ['owner', 'guest'],
  input: z.object({ id }),
  output: nothing,
})

/** Something about a consultation changed, such as its vet or its end. Sent to its room, and always to staff. */
export const consultationChanged = push(
  'consultationChanged',
  z.object({
    consultation: z.number(),
    /** The vets whose open cases changed. Left out if a question after the end changed, or anything may have. */
    vets: z.optional(z.array(z.number())),
  }),
)

export const mailWhenTaken = call('POST', '/consultation/:id/mail-me', {
  summary: 'The owner leaves the page and gets a mail when a vet has joined',
  access: ['owner', 'guest'],
  input: z.object({ id, on: z.boolean().default(true) }),
  output: nothing,
})

export const rateConsultation = call('POST', '/consultation/:id/rating', {
  summary: 'Rate the consult with stars and a comment; a later rating replaces the fields it sends',
  access: ['owner', 'guest'],
  input: z.object({
    id,
    stars: whole(1, 5),
    words: changedText(lengths.rating),
  }),
  output: nothing,
})

export const listAccess = call('GET', '/consultation/:id/access', {
  summary: 'Which of our people opened, took or handed over a consultation, and why',
  access: ['owner', 'guest', 'vet', 'admin'],
  input: z.object({ id }),
  output: z.array(z.object({ name: z.string(), action: z.string(), reason: z.string(), at: isoTime })),
})

export const loginByLink = call('POST', '/user/login_cust_id', {
  summary: 'Open one consultation with a signed link from a mail; each link works once',
  access: 'anyone',
  limit: 'linkAddress',
  idempotent: true,
  input: z.object({
    customer_id: text(100, sentenceOf('LINK_WRONG'), sentenceOf('LINK_WRONG')),
    consult_id: idOf(sentenceOf('LINK_WRONG')),
    expires: idOf(sentenceOf('LINK_WRONG')),
    signature: text(200, sentenceOf('LINK_WRONG'), sentenceOf('LINK_WRONG')),
    ...confirmation,
  }),
  output: z.object({ token: z.string() }),
})
