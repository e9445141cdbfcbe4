import { text } from 'drizzle-orm/pg-core'
import { id, idOf, time, uniqueWhere, table } from './columns.ts'
import { users } from './accounts.ts'
import { consultations } from './consultations.ts'

/** Who called whom and when. Sound and picture never reach the server. */
export const videoCalls = table(
  'video_calls',
  {
    id: id(),
    consultationId: idOf(() => consultations.id),
    vetId: idOf(() => users.id),
    rungAt: time().notNull(),
    answeredAt: time(),
    endedAt: time(),
    /** The page of each side that is in the call. */
    ownerDevice: text(),
    vetDevice: text(),
    vetSeenAt: time().notNull(),
  },
  (t) => [
    uniqueWhere('video_calls_open', 'ended_at is null', t.consultationId),
    uniqueWhere('video_calls_one_a_vet', 'ended_at is null', t.vetId),
  ],
)
