const turns = new Map<string, Promise<unknown>>()

/**
 * Runs work for one key in turn. A key belongs to one person, card or purchase, never to an address: people who
 * share one would wait for each other.
 */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(key)
  const mine = before ? before.then(work, work) : work()
  turns.set(key, mine)
  try {
    return await mine
  } finally {
    if (turns.get(key) === mine) turns.delete(key)
  }
}
