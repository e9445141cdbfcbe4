import { index, integer, jsonb, text } from 'drizzle-orm/pg-core'
import { createdAt, id, indexWhere, region, time, table } from './columns.ts'

/** Mails to send: stored in the transaction that causes them, sent by a job. */
export const mails = table(
  'mails',
  {
    id: id(),
    messageId: text().notNull().unique(),
    /** A mail with a key is stored once, even after a restart. */
    key: text().unique(),
    template: text().notNull(),
    region: region(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    /** Keys of the stored files to attach. */
    attachments: jsonb().$type<{ filename: string; key: string; type: string }[]>().notNull().default([]),
    /** After this time it would be untrue or of no use, so it isn't sent any more. */
    until: time(),
    dueAt: time().notNull(),
    attempts: integer().notNull().default(0),
    claimedUntil: time(),
    sentAt: time(),
    failedAt: time(),
    error: text(),
    createdAt: createdAt(),
  },
  (t) => [
    indexWhere('mails_due', 'sent_at is null and failed_at is null', t.dueAt),
    index('mails_to').on(t.to, t.id),
    indexWhere('mails_of_leavers', "template = 'account deleted'", t.sentAt),
    indexWhere('mails_given_up', 'failed_at is not null', t.id),
  ],
)

/** SMS to send, stored and sent like mails. */
export const smsMessages = table(
  'sms_messages',
  {
    id: id(),
    /** Digits, by which the provider recognises a repeat. */
    messageId: text().notNull().unique(),
    key: text().notNull().unique(),
    to: text().notNull(),
    text: text().notNull(),
    /** After this time nobody could act on it, so it isn't sent any more. */
    until: time().notNull(),
    dueAt: time().notNull(),
    attempts: integer().notNull().default(0),
    claimedUntil: time(),
    sentAt: time(),
    failedAt: time(),
    error: text(),
    createdAt: createdAt(),
  },
  (t) => [
    indexWhere('sms_messages_due', 'sent_at is null and failed_at is null', t.dueAt),
    index('sms_messages_to').on(t.to, t.id),
  ],
)
