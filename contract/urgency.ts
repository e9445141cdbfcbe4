import * as z from 'zod'

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
  /** The owner's own words, or the sign that they ticked. */
  told: z.string(),
  reason: z.string(),
  /** What to do until a vet joins. */
  advice: z.array(z.string()),
})
export type Flag = z.infer<typeof Flag>

/** The signs that a page sends along with a consult. */
export const signs = z.array(z.string().max(40)).max(20).optional()
