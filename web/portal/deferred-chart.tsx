import type { Deferred } from '#contract/portal.ts'
import { useRoom } from '../overview/chart-card.tsx'
import { Bars, Plot } from '../overview/plot.tsx'
import { ticksFor } from '../overview/scale.ts'
import { callsOf, weekName } from './deferred-words.ts'

const COLOURS = ['var(--chart-1)', 'var(--chart-3)', 'var(--chart-2)']

/** Stacked bars by week, the earliest first. The table beside it has the same figures. */
export function DeferredChart({ weeks, says }: { weeks: Deferred['weeks']; says: string }) {
  const { ref, room } = useRoom()
  const inOrder = weeks.toReversed()
  return (
    <div ref={ref} className="mt-3">
      {room && (
        <Plot
          room={room}
          label={says}
          ticks={ticksFor(0, Math.max(...weeks.map(callsOf)))}
          columns={inOrder.map(({ week }) => weekName(week))}
        >
          {(scale) => (
            <Bars
              scale={scale}
              parts={inOrder.map(({ deferred, contact, emergency }) => [deferred, contact, emergency])}
              colours={COLOURS}
            />
          )}
        </Plot>
      )}
    </div>
  )
}
