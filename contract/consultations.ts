import * as z from 'zod/mini'
import { isoTime } from './fields.ts'

export const Consultation = z.object({
  id: z.number(),
  type: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** When it entered the line, when a vet took it, when it ended. */
  start: isoTime,
  vet_start: z.nullable(isoTime),
  end: z.nullable(isoTime),
  vet_name: z.nullable(z.string()),
  pet: z.object({ id: z.nullable(z.number()), name: z.string(), species_id: z.nullable(z.number()) }),
  user: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
  pet_issue: z.string(),
  query: z.string(),
  outcome: z.string(),
  portalDetail: z.object({
    clinic_notified_at: z.nullable(isoTime),
    clinic_accepted_at: z.nullable(isoTime),
  }),
})
export type Consultation = z.infer<typeof Consultation>
