import type { ReactNode } from 'react'
import { useLate } from './late.ts'

/**
 * A part of a page whose script loads when it first appears. If it doesn't load, the rest of the page stays as it is.
 * Pass the same `load` at every render, and a key where one of several is shown.
 */
export function LatePart<Part>({
  load,
  waits = null,
  renderFailed,
  children,
}: {
  load: () => Promise<Part>
  waits?: ReactNode
  /** Shown if it didn't load. Without it, nothing is shown. */
  renderFailed?: (retry: () => void) => ReactNode
  children: (part: Part) => ReactNode
}) {
  const late = useLate(load)
  if (late.part !== undefined) return children(late.part)
  return late.isError ? renderFailed?.(late.refetch) : waits
}
