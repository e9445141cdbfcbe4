/** `value` is in percent. */
export const Progress = ({ label, value }: { label: string; value: number }) => (
  <div className="stack gap-2">
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <span className="font-semi">{label}</span>
      <span className="text-ink-soft tabular-nums">{`${value}%`}</span>
    </div>
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2 overflow-clip rounded-[4px] bg-line"
    >
      <span
        className="block h-full rounded-[4px] bg-green transition-[width]"
        style={{ width: `${value}%` }}
      />
    </div>
  </div>
)
