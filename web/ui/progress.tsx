type ProgressProps = {
  label: string
  value: number
  max?: number
  /** The progress in words: "60%", "about 6 of 20 minutes". */
  far?: string
  tone?: 'green' | 'amber'
}

export const Progress = ({ label, value, max = 100, far, tone = 'green' }: ProgressProps) => (
  <div className="stack gap-2">
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <span className="font-semi">{label}</span>
      {far && <span className="text-ink-soft tabular-nums">{far}</span>}
    </div>
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuetext={far}
      className="h-2 overflow-clip rounded-[4px] bg-line"
    >
      <span
        className={`block h-full rounded-[4px] transition-[width] ${tone === 'amber' ? 'bg-amber' : 'bg-green'}`}
        style={{ width: `${(100 * value) / max}%` }}
      />
    </div>
  </div>
)
