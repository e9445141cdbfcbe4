import type { World } from './context.ts'
import { auditLog } from './db/schema.ts'

interface Entry {
  /** Who did it; nobody, where the house did. */
  userId: number | null
  action: string
  subject: string
  subjectId: number | string
  reason?: string
  details?: Record<string, unknown>
}

/** Writes down what staff read and changed. It is part of the change: where one fails, both do. */
export async function record({ db, now }: Pick<World, 'db' | 'now'>, entry: Entry): Promise<void> {
  await db.insert(auditLog).values({ ...entry, subjectId: String(entry.subjectId), at: now() })
}
