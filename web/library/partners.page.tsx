import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { listPartners } from '#contract/library.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { CallToAct, PageHead } from '../shell/page-parts.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { ExampleBadge, plainName } from './example.tsx'

export const meta = () =>
  pageMeta(
    'Partners',
    'Insurers, shops, clinics and rescues whose people talk to our vets, and where they sign in.',
  )

export const loader = ({ context }: LoaderFunctionArgs) => pageOf(context).ask(listPartners, {})

export default function Partners() {
  const partners = useLoaderData<typeof loader>()
  return (
    <>
      <PageHead
        title="Our partners"
        lead="Their customers, members and staff talk to our vets. If you came to us through one of them, sign in on their website."
      />
      <div className="wrap">
        {partners.length === 0 ? (
          <Empty scene="empty-no-consults" title="No partners yet">
            Yours could be the first.
          </Empty>
        ) : (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2 lg:grid-cols-4 lg:gap-6">
            {partners.map(({ name, blurb, url }) => (
              <li key={name} className="grid">
                <Card className="stack content-between gap-5">
                  <div className="stack gap-3">
                    <div className="flex items-center justify-between gap-3">
                      <Initials of={plainName(name)} />
                      <ExampleBadge of={name} />
                    </div>
                    <h2 className="t18">{plainName(name)}</h2>
                    {blurb && <p className="text-ink-soft">{blurb}</p>}
                  </div>
                  <LinkButton size={44} href={url} rel="noopener" wide>
                    Login<span className="sr-only"> at {plainName(name)}</span>
                  </LinkButton>
                </Card>
              </li>
            ))}
          </ul>
        )}
      </div>
      <CallToAct title="Work with us" lead="For insurers, shops, employers, rescues and clinics.">
        <LinkButton variant="primary" size={56} href="/contact">
          Contact us
        </LinkButton>
      </CallToAct>
    </>
  )
}

const Initials = ({ of }: { of: string }) => (
  <span
    aria-hidden="true"
    className="grid size-12 place-items-center rounded-card bg-green-soft font-bold text-green-soft-ink"
  >
    {of
      .split(/\s+/)
      .filter((word) => /^\p{Lu}/u.test(word))
      .slice(0, 2)
      .map((word) => word[0])
      .join('')}
  </span>
)
