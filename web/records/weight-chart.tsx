import type { Weight } from '#contract/records.ts'
import { say, spokenLocale } from '../ui/say.ts'

/** A weight that differs from the last by more than a fifth has to be confirmed. */
export const isOdd = (kg: number, last: number | undefined) =>
  last !== undefined && Math.abs(kg - last) > last * 0.2

/** "26.4 kg", in the reader's number format. */
export const kgSaid = (kg: number) =>
  say('{kg} kg', { kg: kg.toLocaleString(spokenLocale(), { maximumFractionDigits: kg < 1 ? 3 : 1 }) })

/** A day of the record: "3 Oct 2026". */
export const dayOf = (on: string) =>
  new Intl.DateTimeFormat(spokenLocale(), { day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(`${on}T12:00:00`),
  )

/** A round step that divides the range into a few parts. */
function stepOf(range: number) {
  const size = 10 ** Math.floor(Math.log10(range))
  return [0.5, 1, 2, 5].map((by) => by * size).find((step) => range / step <= 4) ?? size * 5
}

/** The axis covers every weight, with room for the lowest one's label, but doesn't start at zero. */
function axisOf(kgs: number[]) {
  const [least, most] = [Math.min(...kgs), Math.max(...kgs)]
  const step = stepOf(Math.max(most - least, most * 0.1))
  const low = Math.floor(least / step) * step
  const from = Math.max(0, low - (least - low < step / 2 ? step : 0))
  const to = Math.ceil(most / step) * step + (most % step === 0 ? step : 0)
  const marks = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => from + at * step)
  return { from, to, marks }
}

/** Dots are weights from a vet's scale, rings are the owner's. The words stay 14 px, however wide the drawing is. */
export function WeightChart({ weights, pet, staff }: { weights: Weight[]; pet: string; staff: boolean }) {
  if (weights.length < 2) return null
  const own = staff ? say('The owner’s own') : say('Your own')
  const [first, last] = [weights[0]!, weights.at(-1)!]
  const highest = weights.reduce((most, one) => (one.kg > most.kg ? one : most))
  const { from, to, marks } = axisOf(weights.map(({ kg }) => kg))
  const [begin, end] = [first, last].map(({ on }) => Date.parse(on)) as [number, number]
  const x = ({ on }: Weight) => ((Date.parse(on) - begin) / (end - begin)) * 100
  const y = (kg: number) => (1 - (kg - from) / (to - from)) * 100
  // Beside its dot if the line would cross it above.
  const besides = (one: Weight) =>
    one === first && weights[1]!.kg > first.kg
      ? '-mt-1 ml-3'
      : one === last && weights.at(-2)!.kg > last.kg
        ? '-mt-1 -ml-3'
        : '-mt-2 -translate-y-full'
  return (
    <figure className="grid gap-2 text-14">
      <div
        role="img"
        aria-label={say(
          '{pet} weighed {first} on {from} and {last} on {to}. The highest weight was {most}.',
          {
            pet,
            first: kgSaid(first.kg),
            from: dayOf(first.on),
            last: kgSaid(last.kg),
            to: dayOf(last.on),
            most: kgSaid(highest.kg),
          },
        )}
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pt-4"
      >
        <div className="relative h-36 w-8 text-right text-ink-soft tabular-nums">
          {marks.map((mark) => (
            <span key={mark} className="absolute right-0 -translate-y-1/2" style={{ top: `${y(mark)}%` }}>
              {Number(mark.toFixed(3)).toLocaleString(spokenLocale())}
            </span>
          ))}
        </div>
        <div className="relative mr-3 h-36">
          {marks.map((mark) => (
            <span key={mark} className="absolute inset-x-0 h-px bg-line" style={{ top: `${y(mark)}%` }} />
          ))}
          <svg
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className="absolute inset-0 size-full overflow-visible"
          >
            <polyline
              points={weights.map((one) => `${x(one)},${y(one.kg)}`).join(' ')}
              fill="none"
              stroke="var(--color-green)"
              strokeWidth={2}
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          {weights.map((one) => (
            <span
              key={one.id}
              className={`absolute size-3 -translate-1/2 rounded-full border-green ${one.scale ? 'border-6' : 'border-2 bg-card'}`}
              style={{ left: `${x(one)}%`, top: `${y(one.kg)}%` }}
            />
          ))}
          {[...new Set([first, highest, last])].map((one) => (
            <b
              key={one.id}
              className={`absolute font-semi whitespace-nowrap tabular-nums ${besides(one)} ${one === first ? '' : one === last ? '-translate-x-full' : '-translate-x-1/2'}`}
              style={{ left: `${x(one)}%`, top: `${y(one.kg)}%` }}
            >
              {kgSaid(one.kg)}
            </b>
          ))}
        </div>
        <span />
        <div className="mt-3 mr-3 flex justify-between gap-4 text-ink-soft">
          <span>{dayOf(first.on)}</span>
          <span>{dayOf(last.on)}</span>
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-5 gap-y-1 text-ink-soft">
        <span className="inline-flex items-center gap-2">
          <span className="size-3 rounded-full border-6 border-green" /> {say('On a scale at a vet')}
        </span>
        <span className="inline-flex items-center gap-2">
          <span className="size-3 rounded-full border-2 border-green bg-card" /> {own}
        </span>
      </figcaption>
      <details>
        <summary className="min-h-9 cursor-pointer content-center font-semi text-green pointer-coarse:min-h-11">
          {say('Show as a table')}
        </summary>
        <table className="mt-2 w-full text-left tabular-nums">
          <caption className="sr-only">{say('Weights of {pet}', { pet })}</caption>
          <thead>
            <tr className="text-ink-soft">
              <th className="py-1 font-medium">{say('Day')}</th>
              <th className="py-1 font-medium">{say('Weight')}</th>
              <th className="py-1 font-medium">{say('How')}</th>
            </tr>
          </thead>
          <tbody>
            {weights.toReversed().map((one) => (
              <tr key={one.id} className="border-t border-line">
                <td className="py-1">{dayOf(one.on)}</td>
                <td className="py-1">{kgSaid(one.kg)}</td>
                <td className="py-1">{one.scale ? say('On a scale at a vet') : one.by || own}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

export function weightSaid(weights: Weight[]) {
  const [last, before] = [weights.at(-1), weights.at(-2)]
  if (!last) return say('No weight yet')
  const said = say('{weight}, {day}', { weight: kgSaid(last.kg), day: dayOf(last.on) })
  if (!before || before.kg === last.kg) return said
  const values = { said, change: kgSaid(Math.abs(last.kg - before.kg)), day: dayOf(before.on) }
  return last.kg > before.kg
    ? say('{said}, {change} more than on {day}', values)
    : say('{said}, {change} less than on {day}', values)
}
