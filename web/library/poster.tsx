import { chaptersOf, swatchOf, type Tone, toneOf } from '#contract/library.ts'

const TONES: Record<Tone, { ground: string; ink: string; chip: string; dots: string }> = {
  now: {
    ground: 'bg-coral-soft',
    ink: 'text-coral-soft-ink',
    chip: 'bg-coral-fill text-on-coral',
    dots: 'marker:text-coral-soft-ink',
  },
  soon: {
    ground: 'bg-amber-soft',
    ink: 'text-amber-soft-ink',
    chip: 'bg-amber-soft-ink text-amber-soft',
    dots: 'marker:text-amber-soft-ink',
  },
  calm: {
    ground: 'bg-green-soft',
    ink: 'text-green-soft-ink',
    chip: 'bg-green text-on-green',
    dots: 'marker:text-green',
  },
}

/** For a heading that names a colour, the swatch is the only colour. */
const NEUTRAL = { ...TONES.calm, ground: 'bg-paper-sunk', ink: 'text-ink', dots: 'marker:text-ink-soft' }
const lookOf = (heading: string) => (swatchOf(heading) ? NEUTRAL : TONES[toneOf(heading)])

/** A number, or the colour named in the heading. */
function Chip({ heading, number, look }: { heading: string; number: number; look: string }) {
  const swatch = swatchOf(heading)
  if (swatch)
    return (
      <svg viewBox="0 0 32 32" className="size-8 flex-none" aria-hidden="true">
        <circle cx="16" cy="16" r="15" fill={swatch} className="stroke-line-strong" />
      </svg>
    )
  return (
    <span
      aria-hidden="true"
      className={`grid size-8 flex-none place-items-center rounded-full font-bold ${look}`}
    >
      {number}
    </span>
  )
}

/** The infographic's content as text, for phones and screen readers. */
export const Poster = ({ description }: { description: string }) => (
  <div className="stack gap-3 rounded-panel border border-line bg-card p-3 sm:p-4 print:mb-5 print:block">
    {chaptersOf(description).map(({ heading, points }, at) => {
      const { ground, ink, chip, dots } = lookOf(heading)
      return (
        <section key={heading} className={`stack gap-3 rounded-card p-4 sm:p-5 ${ground}`}>
          <h2 className={`flex items-center gap-3 t22 ${ink}`}>
            <Chip heading={heading} number={at + 1} look={chip} />
            {heading}
          </h2>
          <ul className={`stack list-disc gap-1.5 pl-5 sm:pl-16 ${dots}`}>
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </section>
      )
    })}
  </div>
)

const PEEK = 3

/** A small view of the poster's top, for a card with its name below. */
export const PosterPeek = ({ description }: { description: string }) => (
  <div aria-hidden="true" className="h-44 overflow-hidden border-b border-line bg-paper-sunk px-5 pt-5">
    <div className="stack gap-2 rounded-t-card border border-b-0 border-line bg-card p-2 pb-8">
      {chaptersOf(description)
        .slice(0, PEEK)
        .map(({ heading }, at) => {
          const { ground, ink, chip } = lookOf(heading)
          return (
            <p
              key={heading}
              className={`flex min-h-12 items-center gap-2.5 rounded-small px-2.5 font-semi ${ground} ${ink}`}
            >
              <Chip heading={heading} number={at + 1} look={chip} />
              <span className="truncate">{heading}</span>
            </p>
          )
        })}
    </div>
  </div>
)
