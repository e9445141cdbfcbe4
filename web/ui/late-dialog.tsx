import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { useLate } from './late.ts'
import { say } from './say.ts'
import { RowsLoading } from './rows-loading.tsx'

/** A dialog whose script loads when it opens. Its frame appears straight away, and says if the script failed. */
export function LateDialog<Part>({
  load,
  title,
  what = say('this form'),
  onClose,
  children,
}: {
  load: () => Promise<Part>
  title: string
  /** As in "We couldn't load this form". */
  what?: string
  onClose: () => void
  children: (part: Part) => ReactNode
}) {
  const late = useLate(load)

  if (late.part !== undefined) return children(late.part)
  return (
    <Dialog title={title} onClose={onClose}>
      <RowsLoading of={late} what={what} rows={4} />
    </Dialog>
  )
}
