import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { listTestimonials } from '#contract/library.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { WorriedNow } from '../shell/page-parts.tsx'
import { Empty } from '../ui/empty.tsx'
import { CarerWordsList } from './testimonials.tsx'

export const meta = () =>
  pageMeta(
    'What pet carers say',
    'What it was like to talk to a vet on VetChat, told by people who look after pets.',
  )

export const loader = ({ context }: LoaderFunctionArgs) => pageOf(context).ask(listTestimonials, {})

export default function Testimonials() {
  const words = useLoaderData<typeof loader>()
  return (
    <>
      <div className="wrap stack gap-10 pt-8 lg:pt-16">
        <div className="stack gap-3">
          <h1 className="t48">What pet carers say</h1>
          <p className="lead">What it was like to talk to a vet, and what it changed.</p>
        </div>
        {words.length > 0 ? (
          <CarerWordsList words={words} />
        ) : (
          <Empty scene="empty-no-consults" title="Nobody has written yet">
            What owners tell us after a consult, and let us show, will appear here.
          </Empty>
        )}
      </div>
      <WorriedNow />
    </>
  )
}
