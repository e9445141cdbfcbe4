import type { World } from '../context.ts'

type Place = Pick<World, 'db' | 'now'>

interface Waiting<Item, Outcome> {
  item: Item
  done: (outcome: Outcome) => void
  failed: (error: unknown) => void
}
interface Queue<Item, Outcome> {
  waiting: Waiting<Item, Outcome>[]
  writing: number
}

const MOST_AT_ONCE = 500
const SIDE_BY_SIDE = 2

/**
 * Collects everything that arrives during a write into the next one. `write` answers an outcome for each item, in
 * order.
 */
export function batched<Item, Outcome>(write: (place: Place, items: Item[]) => Promise<Outcome[]>) {
  const queues = new WeakMap<World['db'], Queue<Item, Outcome>>()

  async function writeNext(place: Place, queue: Queue<Item, Outcome>): Promise<void> {
    if (queue.writing >= SIDE_BY_SIDE || queue.waiting.length === 0) return
    queue.writing++
    const batch = queue.waiting.splice(0, MOST_AT_ONCE)
    try {
      const outcomes = await write(
        place,
        batch.map(({ item }) => item),
      )
      batch.forEach(({ done }, at) => done(outcomes[at]!))
    } catch (error) {
      await oneByOne(place, batch, error)
    }
    queue.writing--
    void writeNext(place, queue)
  }

  /** When the database refuses a batch, each item is retried alone, so only the bad one fails. */
  async function oneByOne(place: Place, batch: Waiting<Item, Outcome>[], error: unknown) {
    if (batch.length === 1) return batch[0]!.failed(error)
    for (const { item, done, failed } of batch)
      await write(place, [item]).then(([outcome]) => done(outcome!), failed)
  }

  return (place: Place, item: Item): Promise<Outcome> => {
    const queue = queues.get(place.db) ?? { waiting: [], writing: 0 }
    queues.set(place.db, queue)
    return new Promise((done, failed) => {
      queue.waiting.push({ item, done, failed })
      // Items of this turn of the event loop join the write.
      if (queue.writing < SIDE_BY_SIDE) queueMicrotask(() => void writeNext(place, queue))
    })
  }
}
