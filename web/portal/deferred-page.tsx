import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { DeferredFigures, RangeChoice, rangeIn } from './deferred.tsx'
import { PortalPage } from './portal-frame.tsx'
import { deferred } from './queries.ts'
import { PortalLoading } from './portal-loading.tsx'
import { BackLink } from '../ui/view-frame.tsx'

/** The calls that the clinic's own people didn't have to take. */
export function DeferredPage() {
  const [asked, ask] = useSearchParams()
  const range = rangeIn(asked)
  const counted = useQuery({ ...deferred(range), placeholderData: keepPreviousData })
  return (
    <PortalPage>
      <div>
        <BackLink href="/clinic-portal">Your cases</BackLink>
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
          <div className="flex-1 basis-96">
            <h1 className="t28">Calls deferred</h1>
            <p className="mt-1 text-ink-soft">
              After-hours calls that a VetChat vet took for you, counted from what the vet recorded.
            </p>
          </div>
          <RangeChoice
            range={range}
            shown={counted.data}
            onRange={(range) => ask({ ...range }, { replace: true, preventScrollReset: true })}
          />
        </div>
      </div>
      {counted.data && !counted.isError ? (
        <DeferredFigures counted={counted.data} isAdmin={false} />
      ) : (
        <PortalLoading what="the calls" of={counted} />
      )}
    </PortalPage>
  )
}
