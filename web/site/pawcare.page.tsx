import { pageMeta } from '../lib/meta.ts'
import { LinkButton } from '../ui/button.tsx'
import { CallToAct, More, PageHead, usePrices } from '../shell/page-parts.tsx'
import { Insurer, PawCareQuestions } from './pawcare-questions.tsx'

export const meta = () =>
  pageMeta(
    'PawCare cover',
    'What PawCare covers for members’ cats and dogs, what you pay yourself, and how to claim.',
  )

export default function PawCare() {
  const { cover } = usePrices()
  return (
    <>
      <PageHead
        title="Help with the bills that come without warning"
        lead={`PawCare comes with the membership: cover of up to ${cover} a year for your cats and dogs, in seven emergencies.`}
        scene="clinic-at-dawn"
      >
        <LinkButton variant="primary" size={56} href="/petculture-plus" className="in-data-member:hidden">
          See the membership
        </LinkButton>
        <div className="hidden in-data-member:block">
          <LinkButton variant="primary" size={56} href="/myaccount">
            Claim from My account
          </LinkButton>
        </div>
      </PageHead>
      <Figures />
      <section className="section pb-0!">
        <div className="wrap grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[360px_minmax(0,1fr)] lg:gap-20">
          <div className="stack gap-3">
            <h2 className="t36">What it is, exactly</h2>
            <p className="lead">The facts that decide whether it helps you.</p>
            <More href="/faq">Other questions</More>
          </div>
          <div className="stack gap-8">
            <PawCareQuestions open />
            <Insurer />
          </div>
        </div>
      </section>
      <CallToAct title="Already a member?" lead="Send and track your claims on My account.">
        <LinkButton href="/myaccount">My account</LinkButton>
      </CallToAct>
    </>
  )
}

/** The four facts that decide most claims. */
function Figures() {
  const { cover, excess, incidents, waitHours } = usePrices()
  const figures = [
    [cover, 'at most in a year, for each pet'],
    [excess, 'you pay yourself, for each incident'],
    [String(incidents), 'incidents at most in a policy period, for each pet'],
    [`${waitHours} hours`, 'until cover begins for a new pet'],
  ] as const
  return (
    <section aria-label="In figures" className="wrap">
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,34%)),1fr))] gap-px overflow-clip rounded-panel border border-line bg-line lg:grid-cols-4">
        {figures.map(([figure, words]) => (
          <div key={words} className="flex flex-col-reverse justify-end gap-1 bg-card p-4 sm:p-5 lg:p-6">
            <dt className="text-14 text-ink-soft">{words}</dt>
            <dd className="t22 font-bold whitespace-nowrap sm:t28">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
