import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Failed } from './empty.tsx'
import { useLate } from './late.ts'
import { say } from './say.ts'
import { SkeletonRows } from './skeleton.tsx'

/** A dialog whose script loads when it opens. Its frame shows straight away, and says so when the script doesn't load. */
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
  const { part, failed, retry } = useLate(load)

  if (part !== undefined) return children(part)
  return (
    <Dialog open title={title} onClose={onClose}>
      {failed ? (
        <Failed what={say('this form')} onRetry={retry} />
      ) : (
        <SkeletonRows label={say('Loading the form')} rows={4} />
      )}
    </Dialog>
  )
}
