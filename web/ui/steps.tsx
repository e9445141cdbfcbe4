export const Steps = ({ steps }: { steps: readonly string[] }) => (
  <ol className="stack gap-3">
    {steps.map((step, at) => (
      <li key={step} className="grid grid-cols-[28px_minmax(0,1fr)] gap-3">
        <span
          aria-hidden="true"
          className="grid size-7 place-items-center rounded-full bg-green-soft text-14 font-semi text-green-soft-ink"
        >
          {at + 1}
        </span>
        <span dir="auto">{step}</span>
      </li>
    ))}
  </ol>
)
