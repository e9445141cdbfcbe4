import { type LoaderFunctionArgs, useLoaderData, useLocation } from 'react-router'
import { TERMS_VERSION } from '#contract/accounts.ts'
import { legalReview } from '#contract/content.ts'
import { day } from '../lib/dates.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { useSite } from '../lib/site.ts'
import { buttonLook } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { Note } from '../ui/note.tsx'
import { type Part, privacyOf, termsOf } from './legal-words.ts'
import { useHere, usePrices } from '../shell/page-parts.tsx'

export const meta = ({ location }: { location: { pathname: string } }) =>
  location.pathname === '/privacy-policy'
    ? pageMeta(
        'Privacy policy and terms',
        'What VetChat keeps about you and your pets, who sees it, how long, and your rights.',
      )
    : pageMeta(
        'Terms and conditions and privacy',
        'What you buy from VetChat, what it costs, how to cancel, and what we’re responsible for.',
      )

export const loader = ({ context }: LoaderFunctionArgs) => pageOf(context).ask(legalReview, {})

/** One page of legal content with two addresses. Each address starts with its own part. */
export default function Legal() {
  const review = useLoaderData<typeof loader>()
  const { region, analytics } = useSite()
  const here = useHere()
  const prices = usePrices()
  const isPrivacy = useLocation().pathname === '/privacy-policy'
  const documents = [
    { id: 'terms', title: 'Terms and conditions', parts: termsOf(region, here, prices) },
    { id: 'privacy', title: 'Privacy policy', parts: privacyOf(region) },
  ]
  const [first, second] = isPrivacy ? documents.toReversed() : documents
  return (
    <div className="wrap-narrow stack gap-10 pt-8 pb-(--section) lg:pt-16">
      <div className="stack gap-4">
        <h1 className="t48">{first!.title}</h1>
        <p className="lead">
          In plain words. Further down on this page:{' '}
          <Link href={`#${second!.id}`}>{second!.title.toLowerCase()}</Link>.
        </p>
        {review?.version === TERMS_VERSION ? (
          <p className="text-ink-soft">{`Version ${TERMS_VERSION}, reviewed by ${review.by}, ${day(review.on)}`}</p>
        ) : (
          <Note tone="info" title={`Version ${TERMS_VERSION}, not yet reviewed by a lawyer`}>
            We wrote this to be understood, and no lawyer has read this version yet.
          </Note>
        )}
      </div>
      {analytics && (
        <p className="[@media(scripting:none)]:hidden">
          <button type="button" data-ask-again className={buttonLook()}>
            Change whether my visits are counted
          </button>
        </p>
      )}
      <Parts parts={first!.parts} />
      <section id={second!.id} aria-labelledby="second" className="scroll-mt-24 border-t border-line pt-10">
        <h2 id="second" className="mb-8 t36">
          {second!.title}
        </h2>
        <Parts parts={second!.parts} deep />
      </section>
    </div>
  )
}

function Parts({ parts, deep }: { parts: Part[]; deep?: boolean }) {
  const Heading = deep ? 'h3' : 'h2'
  return (
    <div className="stack gap-8">
      {parts.map(({ title, says }) => (
        <section key={title} className="stack gap-3">
          <Heading className="t22">{title}</Heading>
          {says.map((words) => (
            <p key={words} className="max-w-measure">
              {words}
            </p>
          ))}
        </section>
      ))}
    </div>
  )
}
