import type { ReactNode } from 'react'
import { PaymentMethodSkeleton } from '../payments/payment-method.tsx'
import { Card } from '../ui/card.tsx'
import { say } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { ProfileReceiptsSkeleton } from '../ledger/all-receipts.tsx'
import { ProfileSessionsSkeleton } from './sessions.tsx'

/** On a wide page the first column has two parts, so that on a phone the side column comes between them. */
export const Blocks = ({ first, side, late }: { first: ReactNode; side: ReactNode; late?: ReactNode }) => (
  <div className="stack gap-8 lg:grid-cols-[minmax(0,1fr)_384px] lg:grid-rows-[auto_1fr] lg:gap-x-10">
    <div className="stack content-start gap-8">{first}</div>
    <div className="stack content-start gap-8 lg:col-start-2 lg:row-span-2 lg:row-start-1">{side}</div>
    <div className="lg:col-start-1">{late}</div>
  </div>
)

const FieldSkeleton = () => (
  <div className="stack gap-2">
    <span className="flex h-[22px] items-center">
      <Skeleton className="h-4 w-28" />
    </span>
    <Skeleton className="h-12" />
  </div>
)

export const ProfileSkeleton = () => (
  <div aria-busy="true">
    <p role="status" className="sr-only">
      {say('Loading your profile')}
    </p>
    <Blocks
      first={
        <>
          <Card className="stack gap-6">
            <h2 className="t22">{say('Your details')}</h2>
            <div className="stack gap-5">
              <div className="stack gap-5 xs:grid-cols-[repeat(2,minmax(0,1fr))] xs:gap-4">
                <FieldSkeleton />
                <FieldSkeleton />
              </div>
              <FieldSkeleton />
              <FieldSkeleton />
              <div className="stack gap-5 xs:grid-cols-[repeat(2,minmax(0,1fr))] xs:gap-4">
                <FieldSkeleton />
                <FieldSkeleton />
              </div>
              <Skeleton round className="h-12 w-40" />
            </div>
          </Card>
          <Card className="stack gap-6">
            <h2 className="t22">{say('Password')}</h2>
            <div className="stack gap-5">
              <FieldSkeleton />
              <FieldSkeleton />
              <FieldSkeleton />
            </div>
          </Card>
        </>
      }
      side={
        <>
          <PaymentMethodSkeleton />
          <ProfileReceiptsSkeleton />
          <ProfileSessionsSkeleton />
        </>
      }
    />
  </div>
)
