import { useEffect, useEffectEvent } from 'react'
import { failed } from '../lib/api.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Button } from '../ui/button.tsx'

const STAYS_MS = 10_000

export interface Undo {
  says: string
  run: () => Promise<unknown>
}

export function UndoBar({ undo, onOver }: { undo: Undo | undefined; onOver: () => void }) {
  const { show } = useAlert()
  const end = useEffectEvent(onOver)
  useEffect(() => {
    if (!undo) return
    const timer = setTimeout(() => end(), STAYS_MS)
    return () => clearTimeout(timer)
  }, [undo])
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-40 grid justify-items-center"
    >
      {undo && (
        <div className="pointer-events-auto flex items-center gap-3 rounded-card bg-ink py-2 pr-2 pl-4 text-paper shadow-float [&_:focus-visible]:outline-paper">
          {undo.says}
          <Button
            size={44}
            variant="text"
            className="text-paper! underline underline-offset-4 hover:bg-line-strong/35!"
            onClick={() => {
              onOver()
              void undo.run().catch((error) => show(failed(error), 'failed'))
            }}
          >
            Undo
          </Button>
        </div>
      )}
    </div>
  )
}
