import { useEffect, useRef, useState } from 'react'
import { openOutbox } from '../chat/outbox.ts'
import { onConnection } from '../lib/live.ts'

/**
 * Sends what was written in these cases before the vet left them. The case that's shown sends its own. Returns the
 * cases with something that couldn't be sent.
 */
export function useLeftOutboxes(ids: readonly number[], shown: number): ReadonlySet<number> {
  const [unsent, setUnsent] = useState<ReadonlySet<number>>(new Set())
  const [opened] = useState(() => new Map<number, ReturnType<typeof openOutbox>>())
  const isUp = useRef(false)

  useEffect(() => {
    const left = ids.filter((id) => id !== shown)
    for (const [id, outbox] of opened) {
      if (left.includes(id)) continue
      outbox.close()
      opened.delete(id)
    }
    for (const consultation of left) {
      if (opened.has(consultation)) continue
      const outbox = openOutbox({
        consultation,
        isOnline: () => navigator.onLine || isUp.current,
        changed: ({ outbox: items }) =>
          items &&
          setUnsent((all) => {
            const has = items.some(({ failed }) => failed)
            if (all.has(consultation) === has) return all
            return new Set(has ? [...all, consultation] : [...all].filter((id) => id !== consultation))
          }),
        stored: () => {},
      })
      opened.set(consultation, outbox)
      outbox.open()
    }
  }, [ids, shown, opened])

  useEffect(() => {
    const run = () => opened.forEach((outbox) => outbox.run())
    const stop = onConnection((up) => {
      isUp.current = up
      if (up) run()
    })
    addEventListener('online', run)
    return () => {
      stop()
      removeEventListener('online', run)
      opened.forEach((outbox) => outbox.close())
      opened.clear()
    }
  }, [opened])

  return unsent
}
