import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, id, idOf, indexWhere, table } from './columns.ts'
import { users } from './accounts.ts'
import { consultations } from './consultations.ts'

export const messages = table(
  'messages',
  {
    consultationId: idOf(() => consultations.id),
    seq: integer().notNull(),
    clientId: text().notNull(),
    /** Null for VetChat itself, as in "Dr Naidoo joined". A guest writes as the consultation's user. */
    userId: integer().references(() => users.id),
    body: text().notNull(),
    attachmentId: integer().references(() => attachments.id),
    at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.consultationId, t.seq] }),
    unique('messages_once').on(t.consultationId, t.clientId),
    indexWhere('messages_attachment', 'attachment_id is not null', t.attachmentId),
    check('messages_says_something', sql`${t.body} <> '' or ${t.attachmentId} is not null`),
  ],
)

export const attachments = table(
  'attachments',
  {
    id: id(),
    consultationId: idOf(() => consultations.id),
    userId: idOf(() => users.id),
    name: text().notNull().unique(),
    filename: text().notNull(),
    type: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    width: integer(),
    height: integer(),
    createdAt: createdAt(),
  },
  (t) => [
    index('attachments_consultation').on(t.consultationId),
    index('attachments_person').on(t.userId, t.createdAt),
  ],
)

/** How far each side has received and read. */
export const readMarks = table(
  'read_marks',
  {
    consultationId: idOf(() => consultations.id),
    userId: idOf(() => users.id),
    delivered: integer().notNull().default(0),
    seen: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.consultationId, t.userId] }),
    check('read_marks_order', sql`${t.seen} <= ${t.delivered}`),
  ],
)
