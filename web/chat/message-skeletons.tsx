import { Skeleton } from '../ui/skeleton.tsx'

export const MessageSkeletons = () => (
  <>
    <Skeleton className="h-[62px] w-[68%] rounded-card!" />
    <Skeleton className="h-[42px] w-[44%] rounded-card!" />
    <Skeleton className="h-[84px] w-[72%] justify-self-end rounded-card!" />
    <Skeleton className="h-[42px] w-[60%] rounded-card!" />
  </>
)
