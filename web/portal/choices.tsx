import type { ReactNode } from 'react'

/** One of a few views of the same list. */
export const Choices = ({ label, children }: { label: string; children: ReactNode }) => (
  <div
    role="group"
    aria-label={label}
    className="inline-flex flex-wrap gap-[2px] rounded-small bg-paper-sunk p-[3px] max-sm:w-full"
  >
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
  <button
    type="button"
    aria-pressed={current}
    onClick={onPress}
    className="inline-flex min-h-9 flex-1 items-center justify-center gap-[6px] rounded-small px-3 text-14 font-medium whitespace-nowrap text-ink-soft hover:text-ink aria-pressed:bg-card aria-pressed:font-semi aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--line)] pointer-coarse:min-h-11"
  >
    {children}
  </button>
)
