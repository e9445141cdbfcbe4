import * as z from 'zod'
import { call } from './call.ts'
import { id, isoTime } from './fields.ts'

/* How urgent a consult is. */

/** The most urgent first. */
export const LEVELS = ['emergency', 'urgent', 'soon', 'routine'] as const
export type Level = (typeof LEVELS)[number]

/** What the queue shows. */
export const Urgency = z.object({
  level: z.enum(LEVELS),
  /** In a few words, such as "no urine"; empty if nothing stood out. */
  why: z.string(),
})

/** What its owner reads while they wait, if it can't wait. */
export const Flag = z.object({
  level: z.enum(['emergency', 'urgent']),
  /** The owner's own words, or the sign that they ticked; null if a vet raised the level. */
  told: z.string().nullable(),
  reason: z.string(),
  /** What to do until a vet joins. */
  advice: z.array(z.string()),
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
  /** Why it stands out for this animal. */
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
  reviewed: z.object({ by: z.string(), registration: z.string(), on: z.string() }).nullable(),
})
export type EmergencyCheck = z.infer<typeof EmergencyCheck>

export const emergencyCheck = call({
  method: 'GET',
  path: '/urgency/check',
  summary: 'The signs of an emergency that an owner of this animal is asked about before a consult',
  access: 'anyone',
  input: z.object({ species_id: id }),
  output: EmergencyCheck,
})
