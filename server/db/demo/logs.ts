import { and, eq, isNotNull } from 'drizzle-orm'
import { addHours } from '#contract/time.ts'
import { hashOf } from '../../identity/secrets.ts'
import type { Db } from '../client.ts'
import { auditLog, consultations, feedRuns, mails } from '../schema.ts'
import { emailOf, type PersonName, POLICIES } from './people.ts'

/** Recent staff actions, an insurer's file that waits for a decision, and a mail that didn't arrive. */
export async function fillLogs(db: Db, idOf: (person: PersonName) => number, now: Date): Promise<void> {
  const [owner, lapsed, admin] = [idOf('owner'), idOf('lapsed'), idOf('admin')]
  const ago = (hours: number) => addHours(now, -hours)
  const [consult] = await db
    .select({ id: consultations.id })
    .from(consultations)
    .where(and(eq(consultations.userId, owner), isNotNull(consultations.end), isNotNull(consultations.vetId)))
    .orderBy(consultations.start)
    .limit(1)
  const by = { userId: admin, reason: '' }
  await db.insert(auditLog).values([
    { ...by, at: ago(75), action: 'opened the person', subject: 'user', subjectId: String(owner) },
    {
      ...by,
      at: ago(74.9),
      action: 'opened',
      subject: 'consultation',
      subjectId: String(consult!.id),
      reason: 'Refund question: Asked for the rest of her money by email',
    },
    { ...by, at: ago(20), action: 'opened the person', subject: 'user', subjectId: String(lapsed) },
    { ...by, at: ago(19.9), action: 'mailed a password link', subject: 'user', subjectId: String(lapsed) },
  ])
  const feed = (state: 'live' | 'lapsed') =>
    Buffer.from(
      [
        'policy,holder_email,pet_name,species,state',
        ...POLICIES.map(
          ({ policy, holder, petName, speciesId }, n) =>
            `${policy},${emailOf(holder)},${petName},${speciesId},${n === 0 ? 'live' : state}`,
        ),
      ].join('\n'),
    )
  const [daily, held] = [feed('live'), feed('lapsed')]
  await db.insert(feedRuns).values([
    {
      file: 'policies-daily.csv',
      contentHash: hashOf(daily),
      state: 'applied',
      added: POLICIES.length,
      badRows: [{ row: 7, why: 'has an unknown species' }],
      at: ago(30),
    },
    {
      file: 'policies-after-move.csv',
      contentHash: hashOf(held),
      state: 'waiting',
      lapsed: POLICIES.length - 1,
      content: held,
      at: ago(6),
    },
  ])
  await db.insert(mails).values({
    messageId: '<demo-care-reminder@vetchat.example>',
    template: 'care reminder',
    region: 'za',
    to: emailOf('lapsed'),
    subject: 'Care that’s due for Bruno',
    text: 'Bruno is due for a check-up.',
    html: '<p>Bruno is due for a check-up.</p>',
    attempts: 1,
    dueAt: ago(26),
    failedAt: ago(26),
    error: 'MailRefused: 552 mailbox full',
    createdAt: ago(26),
  })
}
