type ProgressProps = {
  label: string
  value: number
  /** The progress in words: "60%". */
  far?: string
}

export const Progress = ({ label, value, far }: ProgressProps) => (
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
      aria-valuemax={100}
      aria-valuetext={far}
      className="h-2 overflow-clip rounded-[4px] bg-line"
    >
      <span
        className="block h-full rounded-[4px] bg-green transition-[width]"
        style={{ width: `${value}%` }}
      />
    </div>
  </div>
)
