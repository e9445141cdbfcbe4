import * as z from 'zod'
import { call } from './call.ts'
import { sentenceOf } from './errors.ts'
import { id, isoTime, nothing, speciesOf, text } from './fields.ts'
import { confirmation } from './human.ts'
import * as lengths from './lengths.ts'

/* How urgent a consult is. */

/** The most urgent first. */
export const LEVELS = ['emergency', 'urgent', 'soon', 'routine'] as const
export type Level = (typeof LEVELS)[number]
export const LEVEL_NAMES = {
  emergency: 'Emergency',
  urgent: 'Urgent',
  soon: 'Soon',
  routine: 'Routine',
} as const satisfies Record<Level, string>

/** What the queue shows. */
export const Urgency = z.object({
  level: z.enum(LEVELS),
  /** In a few words, such as "no urine"; empty if nothing stood out. */
  why: z.string(),
})

/** The vet who reviewed a version of the rules. */
const Review = z.object({ by: z.string(), registration: z.string(), on: isoTime })

/** What the owner of an emergency or urgent consult reads while they wait. */
export const Flag = z.object({
  level: z.enum(['emergency', 'urgent']),
  /** The owner's own words, or the sign that they ticked; null if a vet raised the level. */
  told: z.string().nullable(),
  reason: z.string(),
  /** What to do until a vet joins. */
  advice: z.array(z.string()),
  /** Null while no vet has reviewed these words. */
  reviewed: Review.nullable(),
})
export type Flag = z.infer<typeof Flag>

/** What staff read about a level: why the rules chose it, and how vets changed it since. */
export const LevelRead = z.object({
  version: z.string(),
  reasons: z.array(
    z.object({
      /** The owner's own words, or the sign that they ticked. */
      says: z.string(),
      ticked: z.boolean(),
      level: z.enum(LEVELS),
    }),
  ),
  /** The latest first. */
  changes: z.array(
    z.object({ from: z.enum(LEVELS), to: z.enum(LEVELS), reason: z.string(), by: z.string(), at: isoTime }),
  ),
})
export type LevelRead = z.infer<typeof LevelRead>

/** The signs that a page sends along with a consult. */
export const signs = z.array(z.string().max(40)).max(20).optional()

const AskedSign = z.object({
  id: z.string(),
  says: z.string(),
  /** Why this sign matters for this animal. */
  note: z.string().nullable(),
  reason: z.string(),
  /** What to do on the way to a clinic. */
  advice: z.array(z.string()),
})
export type AskedSign = z.infer<typeof AskedSign>

export const EmergencyCheck = z.object({
  groups: z.array(z.object({ title: z.string(), signs: z.array(AskedSign) })),
  version: z.string(),
  /** Who reviewed the rules; null while no vet has. */
  reviewed: Review.nullable(),
})
export type EmergencyCheck = z.infer<typeof EmergencyCheck>

export const emergencyCheck = call('GET', '/urgency/check', {
  summary: 'The signs of an emergency that an owner of this animal is asked about before a consult',
  access: 'anyone',
  input: z.object({ species_id: speciesOf() }),
  output: EmergencyCheck,
})

export const readComplaint = call('POST', '/urgency/read', {
  summary: 'Where to go and what to do, if what a buyer writes before paying reads as an emergency',
  access: 'anyone',
  limit: 'complaintsRead',
  input: z.object({ species_id: speciesOf().nullish(), query: text(lengths.issue), ...confirmation }),
  output: z.object({ flag: Flag.nullable() }),
})

/* Versions of the rules, and how they compare with what vets decided. */

const person = z.object({ name: z.string(), at: isoTime })

const RulesVersion = z.object({
  version: z.string(),
  made_by: z.string(),
  made_on: z.string(),
  notes: z.string(),
  signs: z.number(),
  phrases: z.number(),
  /** How many phrases it adds to the version before it, and how many it removes. */
  added: z.number(),
  removed: z.number(),
  live: z.boolean(),
  /** Whether it has been live before: then it can go live again without a second admin. */
  was_live: z.boolean(),
  /** Who made it live, and when; null for the one that came with the product. */
  live_since: person.nullable(),
  /** The vet, with their number at the regulator, and the admin who recorded the review. */
  reviewed: person.extend({ registration: z.string(), noted_by: z.string() }).nullable(),
  /** Set while one admin has asked to make it live and no second admin has confirmed. */
  asked: person.extend({ reason: z.string(), mine: z.boolean() }).nullable(),
})
export type RulesVersion = z.infer<typeof RulesVersion>

const version = text(40)

export const listVersions = call('GET', '/urgency/versions', {
  summary: 'The versions of the rules, the newest first',
  access: ['admin'],
  input: nothing,
  output: z.object({
    versions: z.array(RulesVersion),
    /** Whether there is another admin, so that making a version live takes two. */
    takes_two: z.boolean(),
    /** The vets who can be named as its reviewer. */
    vets: z.array(z.object({ id: z.number(), name: z.string(), registration: z.string() })),
  }),
})

export const readVersion = call('GET', '/urgency/versions/:version', {
  summary: 'Every sign of a version with its words, for review',
  access: ['admin'],
  input: z.object({ version }),
  output: z.array(
    z.object({
      id: z.string(),
      says: z.string(),
      level: z.string(),
      only: z.string(),
      reason: z.string(),
      advice: z.array(z.string()),
      sources: z.array(z.string()),
      words: z.object({ en: z.array(z.string()), af: z.array(z.string()), zu: z.array(z.string()) }),
      except: z.array(z.string()),
      unless: z.array(z.string()),
    }),
  ),
})

/** How many days a replay looks back, and at how many consults at most. */
export const REPLAY_DAYS = 90
export const MOST_REPLAYED = 2000

const BySign = z.object({
  /** Empty if no sign matched. */
  sign: z.string(),
  says: z.string(),
  caught: z.number(),
  missed: z.number(),
  false_alarms: z.number(),
  /** The numbers of its latest missed consults and false alarms. */
  cases: z.array(z.number()),
})
export const Replay = z.object({
  version: z.string(),
  from: isoTime,
  to: isoTime,
  /** Consults with a vet's outcome or level; `cut` if there were too many to read them all. */
  consults: z.number(),
  cut: z.boolean(),
  caught: z.number(),
  missed: z.number(),
  false_alarms: z.number(),
  /** Consults whose level a vet changed. */
  changed: z.number(),
  signs: z.array(BySign),
})
export type Replay = z.infer<typeof Replay>

export const replayVersion = call('GET', '/urgency/versions/:version/replay', {
  summary: 'What a version would have read in the latest consults, beside what vets decided',
  access: ['admin'],
  input: z.object({ version }),
  output: Replay,
})

export const noteReview = call('POST', '/urgency/versions/:version/review', {
  summary: 'Note which vet reviewed a version',
  access: ['admin'],
  again: true,
  input: z.object({ version, vet_id: id }),
  output: nothing,
})

export const makeVersionLive = call('POST', '/urgency/versions/:version/live', {
  summary:
    'Make a reviewed version live: one admin asks, a second one confirms. One that was live before is live straight away',
  access: ['admin'],
  again: true,
  input: z.object({ version, reason: text(lengths.reason, sentenceOf('LEVEL_REASON_MISSING')) }),
  output: z.object({ live: z.boolean() }),
})

export const withdrawVersion = call('POST', '/urgency/versions/:version/withdraw', {
  summary: 'Withdraw, or refuse, a request to make a version live',
  access: ['admin'],
  input: z.object({ version }),
  output: nothing,
})
