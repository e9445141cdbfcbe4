import { useState } from 'react'

interface Words {
  name: string
  /** Invented, and labelled as an example. */
  example: boolean
  /** Filled stars out of five. */
  stars: number | null
  details: string
}

const STAR = 'M12 2l3.1 6.3 6.9 1-5 4.9 1.2 6.8-6.2-3.2L5.8 21 7 14.2 2 9.3l6.9-1z'
const TURNS = [
  { label: 'Previous', by: -1, arrow: 'M19 12H5M12 19l-7-7 7-7' },
  { label: 'Next', by: 1, arrow: 'M5 12h14M12 5l7 7-7 7' },
]

/** The server renders the buttons disabled, because they do nothing before the script runs. */
const wake = (element: HTMLButtonElement | null) => {
  if (element) element.disabled = false
}

/** One at a time, with Next and Previous that wrap around. Without scripts, they are in a row that scrolls. */
export default function ClinicWords({ words }: { words: Words[] }) {
  const [turned, setTurned] = useState<number | null>(null)
  const at = turned ?? 0
  const turn = (by: number) => setTurned((at + by + words.length) % words.length)
  return (
    <section aria-roledescription="carousel" aria-label="What clinics say" className="stack gap-6">
      <div
        role="group"
        aria-label="Clinic testimonials"
        className="overflow-hidden rounded-panel [@media(scripting:none)]:overflow-x-auto"
      >
        <ul
          aria-live="polite"
          className="flex items-stretch transition-transform duration-500 ease-out motion-reduce:transition-none"
          style={turned === null ? undefined : { transform: `translateX(-${at * 100}%)` }}
        >
          {words.map(({ name, example, stars, details }, index) => (
            <li
              // oxlint-disable-next-line react/no-array-index-key -- names may be equal, and slides never move
              key={index}
              inert={turned !== null && index !== at}
              aria-roledescription="slide"
              aria-label={`${index + 1} of ${words.length}`}
              className="w-full flex-none bg-card"
            >
              <figure className="stack h-full content-between gap-6 rounded-panel border border-line p-6 lg:p-10">
                <div className="stack gap-4">
                  {stars !== null && <Stars of={stars} />}
                  <blockquote className="text-18 lg:text-22">{details}</blockquote>
                </div>
                <figcaption className="flex flex-wrap items-center justify-between gap-3 font-semi text-ink-soft">
                  {name}
                  {example && (
                    <span className="inline-flex min-h-7 items-center rounded-full border border-line bg-paper-sunk px-2.5 text-14">
                      Example
                    </span>
                  )}
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
      {words.length > 1 && (
        <div className="flex items-center gap-3 [@media(scripting:none)]:hidden">
          {TURNS.map(({ label, by, arrow }) => (
            <button
              key={label}
              type="button"
              aria-label={label}
              disabled
              ref={wake}
              className="grid size-12 place-items-center rounded-full border border-line-strong bg-card text-ink enabled:hover:bg-green-soft enabled:hover:text-green-soft-ink disabled:opacity-60 focus-visible:rounded-full"
              onClick={() => turn(by)}
            >
              <svg width={24} height={24} viewBox="0 0 24 24" aria-hidden="true" className="drawn">
                <path d={arrow} />
              </svg>
            </button>
          ))}
          <p className="text-14 text-ink-soft tabular-nums">{`${at + 1} of ${words.length}`}</p>
        </div>
      )}
    </section>
  )
}

const Stars = ({ of }: { of: number }) => (
  <p role="img" aria-label={`${of} of 5 stars`} className="flex gap-1 text-amber">
    {[1, 2, 3, 4, 5].map((star) => (
      <svg
        key={star}
        width={20}
        height={20}
        viewBox="0 0 24 24"
        fill={star <= of ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth={2}
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={STAR} />
      </svg>
    ))}
  </p>
)
