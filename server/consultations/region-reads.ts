import { and, eq, isNotNull } from 'drizzle-orm'
import { type Region, REGION_IDS } from '#contract/regions.ts'
import type { Actor } from '../context.ts'
import { isVet } from '../db/kinds.ts'
import { consultations, users } from '../db/schema.ts'

/* A vet works only in the region of their account, where they're on the register (decision 068). */

/** The regions whose consults this reader may see. Owners and guests are limited to their own consults elsewhere. */
export const regionsOf = (reader: Actor): Region[] => (reader.kind === 'vet' ? [reader.region] : REGION_IDS)

export const ofTheirRegion = (reader: Actor) =>
  reader.kind === 'vet' ? eq(consultations.region, reader.region) : undefined

/** Vets who answer this region's consults now. */
export const onDutyIn = (region: Region) => and(isVet, isNotNull(users.onDutySince), eq(users.region, region))
