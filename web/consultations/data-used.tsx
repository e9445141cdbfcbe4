import { useSyncExternalStore } from 'react'
import { sizeSaid } from '../ui/size-said.ts'
import { dataUsed } from '../lib/data-used.ts'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { every } from '../lib/is-past.ts'

const looksAgain = every(5000)

/** How much of the owner's data this page has used since it was opened. */
export function DataUsed() {
  const bytes = useSyncExternalStore(looksAgain, dataUsed, () => 0)
  if (bytes === 0) return null
  return (
    <p className="flex items-center justify-center gap-2 text-14 text-ink-soft tabular-nums">
      <Icon name="arrow-up-down" size={16} />
      {say('Data used since you opened this page: about {size}', { size: sizeSaid(bytes) })}
    </p>
  )
}
