import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Output } from '#contract/call.ts'
import { type countDeferredOf, FEWEST_CALLS } from '#contract/portal.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Select } from '../ui/select.tsx'
import { Stale, ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { DeferredFigures, type Range, RangeChoice, rangeIn } from './deferred.tsx'
import { PortalLoading } from './portal-loading.tsx'
import { deferredOf, everyClinic } from './queries.ts'

/** For admins: the calls that each clinic didn't have to take, and what the clinics' page may claim. */
export default function ClinicsDeferred() {
  const [asked, ask] = useSearchParams()
  const clinics = useQuery(everyClinic)
  const chosen = Number(asked.get('clinic')) || clinics.data?.[0]?.id
  const range = rangeIn(asked)
  const counted = useQuery({
    ...deferredOf(chosen ?? 0, range),
    enabled: chosen !== undefined,
    placeholderData: keepPreviousData,
  })
  const go = (clinic: number | undefined, range: Range) =>
    ask(
      { ...(clinic !== undefined && { clinic: String(clinic) }), ...range },
      { replace: true, preventScrollReset: true },
    )

  return (
    <>
      <ViewHead title="Calls deferred" />
      {!clinics.isSuccess ? (
        <ViewLoading of={clinics} what="the clinics" />
      ) : clinics.data.length === 0 ? (
        <Empty scene="empty-no-consults" title="No clinics yet">
          Deferred calls will be counted here.
        </Empty>
      ) : (
        <>
          <div className="flex flex-wrap items-end justify-between gap-4">
            <div className="w-full max-w-[24rem]">
              <Select
                label="Clinic"
                value={chosen}
                onChange={({ target }) => go(Number(target.value), range)}
              >
                {clinics.data.map(({ id, clinic }) => (
                  <option key={id} value={id}>
                    {clinic}
                  </option>
                ))}
              </Select>
            </div>
            <RangeChoice range={range} shown={counted.data} onRange={(range) => go(chosen, range)} />
          </div>
          {counted.data && !counted.isError ? (
            <Stale when={counted.isPlaceholderData}>
              <DeferredFigures counted={counted.data} isAdmin />
              <Claim measured={counted.data.measured} />
            </Stale>
          ) : (
            <PortalLoading what="the calls" of={counted} />
          )}
        </>
      )}
    </>
  )
}

const Claim = ({ measured }: { measured: Output<typeof countDeferredOf>['measured'] }) => (
  <Card>
    <h2 className="text-16 font-bold">The claim on the clinics’ page</h2>
    <p className="mt-1 max-w-measure text-14 text-ink-soft">
      {measured
        ? `It says that ${measured.percent} in 100 calls could wait: measured over ${measured.calls} calls of ${measured.clinics === 1 ? '1 clinic' : `${measured.clinics} clinics`} in 12 weeks. Clinics with fewer than ${FEWEST_CALLS} calls are left out.`
        : `It gives no figure yet, because no clinic has had ${FEWEST_CALLS} calls in 12 weeks.`}
    </p>
  </Card>
)
