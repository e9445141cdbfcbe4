import type { ReactNode } from 'react'

/** One of a few views of the same list. */
export const Choices = ({ label, children }: { label: string; children: ReactNode }) => (
  <div role="group" aria-label={label} className="segments flex-wrap max-sm:w-full">
    {children}
  </div>
)

export const Choice = ({
  current,
  onPress,
  children,
}: {
  current: boolean
  onPress: () => void
  children: ReactNode
}) => (
  <button type="button" aria-pressed={current} onClick={onPress} className="segment flex-1">
    {children}
  </button>
)
