import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { openOutbox } from '../chat/outbox.ts'
import { listen, together } from '../ui/listen.ts'
import { onConnection } from '../lib/live.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { lastSaid } from './queries.ts'

/**
 * Sends what was written in these cases before the vet left them. The case that's shown sends its own. Returns the
 * cases with something that couldn't be sent, and those where it went back to the draft because the consult had ended.
 */
export function useUnsentElsewhere(ids: readonly number[], shown: number) {
  const client = useQueryClient()
  const { show } = useAlert()
  const [unsent, setUnsent] = useState<ReadonlySet<number>>(new Set())
  const [refused, setRefused] = useState<ReadonlySet<number>>(new Set())
  const [opened] = useState(() => new Map<number, ReturnType<typeof openOutbox>>())
  const isUp = useRef(false)

  useEffect(() => {
    opened.get(shown)?.close()
    opened.delete(shown)
    // A case that ended or was handed over leaves the list, and its outbox still says what couldn't be sent.
    for (const consultation of ids) {
      if (consultation === shown || opened.has(consultation)) continue
      const outbox = openOutbox({
        consultation,
        isOnline: () => navigator.onLine || isUp.current,
        changed({ outbox: items, refusal }) {
          if (refusal) {
            setRefused((all) => new Set([...all, consultation]))
            show(
              `Consult ${consultation} had ended before your message was sent. It’s in the message box there.`,
              'failed',
            )
          }
          if (!items) return
          setUnsent((all) => {
            const has = items.some(({ failed }) => failed)
            if (all.has(consultation) === has) return all
            return new Set(has ? [...all, consultation] : [...all].filter((id) => id !== consultation))
          })
        },
        stored: () => void client.invalidateQueries({ queryKey: lastSaid(consultation).queryKey }),
      })
      opened.set(consultation, outbox)
      outbox.open()
    }
  }, [ids, shown, opened, client, show])

  useEffect(() => {
    const run = () => opened.forEach((outbox) => outbox.run())
    return together(
      onConnection((up) => {
        isUp.current = up
        if (up) run()
      }),
      listen(window, 'online', run),
      () => opened.forEach((outbox) => outbox.close()),
      () => opened.clear(),
    )
  }, [opened])

  return { unsent, refused }
}
