/** A placeholder with the final size, which the class sets. */
export const Skeleton = ({ round, className = '' }: { round?: boolean; className?: string }) => (
  <span
    className={`block animate-pulse bg-line motion-reduce:animate-none ${round ? 'rounded-full' : 'rounded-small'} ${className}`}
  />
)

/** Placeholder rows of a list: a round picture and two lines. */
export const SkeletonRows = ({ label, rows = 3 }: { label: string; rows?: number }) => (
  <div aria-busy="true" className="divide-y divide-line">
    <p role="status" className="sr-only">
      {label}
    </p>
    {Array.from({ length: rows }, (_, row) => (
      <div
        key={row}
        className="grid min-h-[88px] grid-cols-[56px_minmax(0,1fr)] items-center gap-4 px-5 py-4 lg:px-6"
      >
        <Skeleton round className="size-14" />
        <div className="stack gap-2">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-3 w-3/4" />
        </div>
      </div>
    ))}
  </div>
)
