import { useEffect, useState, type ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Failed } from './empty.tsx'
import { SkeletonRows } from './skeleton.tsx'

/** A dialog whose script comes when it is opened. Its frame stands at once, and says so when nothing comes. */
export function LateDialog<Part>({
  load,
  title,
  onClose,
  children,
}: {
  load: () => Promise<Part>
  title: string
  onClose: () => void
  children: (part: Part) => ReactNode
}) {
  const [part, setPart] = useState<{ loaded: Part }>()
  const [tries, setTries] = useState(0)
  const [failedAt, setFailedAt] = useState(-1)

  useEffect(() => {
    let left = false
    load().then(
      (loaded) => left || setPart({ loaded }),
      () => left || setFailedAt(tries),
    )
    return () => void (left = true)
  }, [load, tries])

  if (part) return children(part.loaded)
  return (
    <Dialog open title={title} onClose={onClose}>
      {failedAt === tries ? (
        <Failed what="this form" onRetry={() => setTries(tries + 1)} />
      ) : (
        <SkeletonRows label="Loading the form" rows={4} />
      )}
    </Dialog>
  )
}
