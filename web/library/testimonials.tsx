import type { Output } from '#contract/call.ts'
import { type listTestimonials, shortened } from '#contract/library.ts'
import { More } from '../shell/page-parts.tsx'
import { Icon } from '../ui/icon.tsx'
import { ExampleBadge, plainName } from './example.tsx'

export type CarerWords = Output<typeof listTestimonials>

export const CarerWordsList = ({ words }: { words: CarerWords }) => (
  <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-3 lg:gap-6">
    {words.map((one) => (
      <li key={one.petCarer + one.text} className="rounded-card border border-line bg-card p-5 lg:p-6">
        <figure className="stack h-full content-between gap-5">
          <Said text={one.text} />
          <figcaption className="flex items-center gap-3 text-14 text-ink-soft">
            {one.image && (
              <img
                src={one.image}
                alt=""
                width={40}
                height={40}
                loading="lazy"
                className="size-10 rounded-full object-cover"
              />
            )}
            <span className="min-w-0 flex-1">{plainName(one.petCarer)}</span>
            <ExampleBadge of={one.petCarer} />
          </figcaption>
        </figure>
      </li>
    ))}
  </ul>
)

function Said({ text }: { text: string }) {
  const short = shortened(text)
  if (short === null) return <blockquote>{text}</blockquote>
  return (
    <details className="group">
      <summary className="list-none [&::-webkit-details-marker]:hidden">
        <span className="block group-open:hidden">{short}</span>
        <span className="inline-flex min-h-11 items-center gap-1 font-semi text-green">
          <span className="group-open:hidden">Read all of it</span>
          <span className="hidden group-open:inline">Show less</span>
          <Icon name="chevron-down" size={16} className="group-open:rotate-180" />
        </span>
      </summary>
      <blockquote>{text}</blockquote>
    </details>
  )
}

/** The block on other pages. Without testimonials it isn't shown. */
export function FromCarers({ words }: { words: CarerWords }) {
  if (words.length === 0) return null
  return (
    <section className="pb-(--section)">
      <div className="wrap stack gap-8 lg:gap-12">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2">
          <h2 className="t36">What pet carers say</h2>
          <More href="/testimonials">More from Pet Carers</More>
        </div>
        <CarerWordsList words={words.slice(0, 3)} />
      </div>
    </section>
  )
}
