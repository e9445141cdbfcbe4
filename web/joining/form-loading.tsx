import { say } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'

export const FormLoading = ({ label = say('Loading the form') }: { label?: string }) => (
  <div aria-busy="true" className="stack max-w-[592px] gap-5">
    <p role="status" className="sr-only">
      {label}
    </p>
    {Array.from({ length: 4 }, (_, field) => (
      <div key={field} className="stack gap-2">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-12" />
      </div>
    ))}
  </div>
)
