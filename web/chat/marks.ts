import type { Mark, Message } from '#contract/chat.ts'

/** What others said after this number. Notices have no author. */
export const newsAfter = (seq: number, messages: Message[], me: number) =>
  messages.filter((one) => one.seq > seq && one.user_id !== null && one.user_id !== me)

/** The marks of both lists, each reader at the furthest. It is the same list if nobody got further. */
export function furthestMarks(known: Mark[], more: Mark[]) {
  const all = new Map(known.map((one) => [one.user_id, one]))
  let grew = false
  for (const { user_id, delivered, seen } of more) {
    const before = all.get(user_id)
    if (before && before.delivered >= delivered && before.seen >= seen) continue
    grew = true
    all.set(user_id, {
      user_id,
      delivered: Math.max(delivered, before?.delivered ?? 0),
      seen: Math.max(seen, before?.seen ?? 0),
    })
  }
  return grew ? [...all.values()] : known
}
