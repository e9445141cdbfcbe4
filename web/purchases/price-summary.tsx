interface PriceSummaryProps {
  what: string
  full: string
  code: string
  off: string
  due: string
  pays: string
}

export const PriceSummary = ({ what, full, code, off, due, pays }: PriceSummaryProps) => (
  <dl className="stack gap-3">
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-ink-soft">{what}</dt>
      <dd className="font-medium tabular-nums">{full}</dd>
    </div>
    {code && (
      <div className="flex flex-wrap justify-between gap-x-4">
        <dt className="min-w-0 break-words text-ink-soft">{code}</dt>
        <dd className="font-medium tabular-nums">{`−${off}`}</dd>
      </div>
    )}
    <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-4">
      <dt className="font-semi">{due}</dt>
      <dd className="t28 leading-none font-bold tabular-nums">{pays}</dd>
    </div>
  </dl>
)
