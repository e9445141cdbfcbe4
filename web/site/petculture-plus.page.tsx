import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { discounted, isPromo, type Promo, PROMOS } from '#contract/discounts.ts'
import { money } from '#contract/regions.ts'
import { Island } from '../lib/island.tsx'
import { pageMeta } from '../lib/meta.ts'
import { useRegion, useSite } from '../lib/site.ts'
import { PetAvatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { buttonLook, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import type { IconName } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { BreakEven, Checks, ForMembers, More, PageHead, useHere, usePrices } from '../shell/page-parts.tsx'
import { Answers, type Asked } from './answers.tsx'
import { Insurer, PawCareQuestions } from './pawcare-questions.tsx'
import PromoDialog from './promo-dialog.island.tsx'
import { ProductData } from '../shell/structured-data.tsx'
import { Reason } from './reason.tsx'

const INTRODUCTORY: Promo = 'intro-20'

export const meta = () =>
  pageMeta(
    'Membership: a vet for up to five pets',
    'Unlimited consults, PawCare cover and a care plan for each pet, paid yearly or monthly.',
  )

export function loader({ request }: LoaderFunctionArgs) {
  const code = new URL(request.url).searchParams.get('promo')
  return { promo: isPromo(code) ? code : null }
}

export default function PetCulturePlus() {
  const { promo } = useLoaderData<typeof loader>()
  const shown = promo ?? INTRODUCTORY
  const percent = PROMOS[shown]
  const { prices, currency } = useRegion()
  const off = (minor: number) =>
    money(discounted(minor, { amount_off: null, percent_off: percent }), currency)
  const said = { annual: off(prices.annual), monthly: off(prices.monthly) }
  return (
    <>
      <ProductData of="membership" />
      <PageHead
        title="A vet in the family, for up to five pets"
        lead="Ask as often as you like. No more wondering whether it’s worth a consult."
        scene="cat-on-lap"
      >
        <p className="-order-1 in-data-member:hidden">
          <Badge tone="green" icon="tag">
            {promo ? `Code ${promo}: ${percent}% off` : `${percent}% off with code ${shown}`}
          </Badge>
        </p>
        <ForMembers className="w-full" />
        <div className="flex w-full flex-wrap items-center gap-x-5 gap-y-3 in-data-member:hidden">
          <LinkButton variant="primary" size={56} href="#plans" className="w-full sm:w-auto">
            Choose a plan
          </LinkButton>
          <p className="text-ink-soft">
            <strong className="text-ink">{said.monthly}</strong>{' '}
            {promo ? 'for the first month' : `for the first month with code ${shown}`}
          </p>
        </div>
      </PageHead>
      <Features />
      <Plans promo={promo} shown={shown} percent={percent} said={said} />
      <Island
        name="promo-dialog"
        of={PromoDialog}
        props={{
          promo,
          offer: shown,
          percent,
          prices: {
            annually: { now: said.annual, full: money(prices.annual, currency) },
            monthly: { now: said.monthly, full: money(prices.monthly, currency) },
          },
        }}
      />
      <Questions />
    </>
  )
}

function Features() {
  const { cover, giftCard } = usePrices()
  const { online } = useRegion()
  const { shop } = useSite()
  const features: [IconName, string, string][] = [
    [
      'shield-plus',
      'PawCare cover',
      `Seven kinds of accident and illness, up to ${cover} a year, for cats and dogs.`,
    ],
    [
      'clipboard-list',
      'A care plan for each pet',
      'Vaccines, ticks, teeth, weight and check-ups, by species and age.',
    ],
    ['users', 'Up to five pets', 'Join with one. Add up to four more at any time.'],
  ]
  if (shop)
    features.splice(1, 0, [
      'gift',
      `A ${giftCard} gift card`,
      `For ${shop}, by email a week after the first payment.`,
    ])
  return (
    <section className="pt-6 pb-(--section) lg:pt-8">
      <div className="wrap">
        <h2 className="mb-8 t36 lg:mb-12">What you get</h2>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 lg:grid-cols-[1.2fr_1fr_1fr] lg:gap-6">
          <div className="stack content-between gap-6 rounded-panel bg-night p-6 text-on-night md:col-span-2 lg:col-span-1 lg:row-span-2 lg:p-8">
            <div className="stack gap-3">
              <h3 className="t28">Unlimited consults</h3>
              <p className="text-on-night-soft">
                Text or video, for every pet on the plan. {online}. Ask about the small things too.
              </p>
            </div>
            <ul aria-label="Things members ask" className="stack justify-items-start gap-2">
              {[
                'Is it normal that he snores?',
                'Can she have this with her tablets?',
                'Vet now, or Monday?',
              ].map((asked) => (
                <li
                  key={asked}
                  className="rounded-card rounded-bl-[4px] bg-night-line px-4 py-2 even:ml-6 max-xs:even:ml-3"
                >
                  {asked}
                </li>
              ))}
            </ul>
            <div className="flex *:shadow-[0_0_0_3px_var(--color-night)] *:not-first:-ml-2">
              <PetAvatar species="dog" size={56} />
              <PetAvatar species="cat" size={56} />
              <PetAvatar species="rabbit" size={56} />
              <span
                aria-hidden="true"
                className="grid size-14 place-items-center rounded-full bg-night-line font-semi"
              >
                +2
              </span>
            </div>
          </div>
          {features.map(([icon, title, words]) => (
            <Card key={title} className="last:even:md:col-span-2">
              <Reason icon={icon} title={title}>
                {words}
              </Reason>
            </Card>
          ))}
        </div>
      </div>
    </section>
  )
}

interface PlansProps {
  promo: Promo | null
  shown: Promo
  percent: number
  said: { annual: string; monthly: string }
}

const POINTS = [
  'We’ll remind you five days before it renews',
  'Cancel with one click, and keep the time you’ve paid for',
]

/**
 * The whole card is a link. With a code, it shows the code's price and leads straight to the form. Without one, it
 * shows the full price, and a press offers the introductory code.
 */
function Plans({ promo, shown, percent, said }: PlansProps) {
  const { annual, monthly } = usePrices()
  const { taxIncluded } = useHere()
  const { prices, currency } = useRegion()
  // Rounds up to the next five rand or dollars.
  const aWeek = money(Math.ceil((prices.monthly * 12) / 52 / 500) * 500, currency)
  const join = promo ? `/subscribe/${promo}` : '/subscribe'
  return (
    <section id="plans" className="section scroll-mt-16 bg-paper-sunk in-data-member:hidden">
      <div className="wrap">
        <div className="mx-auto mb-8 stack max-w-measure justify-items-center gap-3 text-center lg:mb-12">
          <h2 className="t36">Choose how to pay</h2>
          <p className="lead text-balance">
            The same membership either way.{' '}
            {promo
              ? `Your ${percent}% is already taken off.`
              : `With code ${shown}, ${percent}% is taken off the first payment.`}
          </p>
        </div>
        <div className="mx-auto grid max-w-[880px] grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 lg:gap-6">
          <PlanCard
            plan="annually"
            href={`${join}?plan=annually`}
            title="Annual"
            badge="Two months free"
            {...(promo
              ? { now: said.annual, full: annual, period: `for the first year, then ${annual} a year` }
              : { now: annual, period: `a year, or ${said.annual} for the first with code ${shown}` })}
            points={['One payment for the whole year', ...POINTS]}
            best
          />
          <PlanCard
            plan="monthly"
            href={`${join}?plan=monthly`}
            title="Monthly"
            badge={`Under ${aWeek} a week`}
            {...(promo
              ? { now: said.monthly, full: monthly, period: `for the first month, then ${monthly} a month` }
              : { now: monthly, period: `a month, or ${said.monthly} for the first with code ${shown}` })}
            points={['Stop at the end of any month', ...POINTS]}
          />
        </div>
        <p className="mt-6 text-center text-ink-soft">{taxIncluded}</p>
        <BreakEven className="text-center" />
      </div>
    </section>
  )
}

interface PlanCardProps {
  plan: 'annually' | 'monthly'
  href: string
  title: string
  badge: string
  now: string
  /** The price before the code's discount. */
  full?: string
  period: string
  points: string[]
  best?: boolean
}

const PlanCard = ({ plan, href, title, badge, now, full, period, points, best }: PlanCardProps) => (
  <Link
    href={href}
    data-plan={plan}
    className={`grid grid-rows-[auto_auto_1fr_auto] gap-5 rounded-panel border bg-card p-5 text-ink no-underline hover:border-green md:row-span-4 md:grid-rows-subgrid lg:p-8 ${best ? 'border-green shadow-[0_0_0_1px_var(--color-green)]' : 'border-line'}`}
  >
    <div className="flex flex-wrap items-center justify-between gap-2">
      <h3 className="t22">{title}</h3>
      <Badge tone="green">{badge}</Badge>
    </div>
    <div>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <b className="text-[min(var(--size-48),15vw)] leading-none tracking-[var(--track-48)]">{now}</b>
        {full && (
          <s className="text-18 text-ink-soft">
            <span className="sr-only">instead of </span>
            {full}
          </s>
        )}
      </p>
      <p className="mt-2 text-ink-soft">{period}</p>
    </div>
    <Checks points={points} />
    <span className={buttonLook({ variant: best ? 'primary' : 'line', size: 56, wide: true })}>
      Join for {now}
    </span>
  </Link>
)

const QUESTIONS: Asked = [
  [
    'Can I cancel?',
    'Yes, in My account, with one click. Consults and cover continue until the end of the time you’ve paid for.',
  ],
  [
    'Which pets can be on it?',
    'Up to five pets of any kind on one membership. PawCare is for the cats and dogs among them. Join with one and add the others later.',
  ],
  [
    'When does it renew?',
    'Automatically, at the end of the year or month. We’ll email you five days before.',
  ],
]

const Questions = () => (
  <>
    <section className="section">
      <div className="wrap grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[360px_minmax(0,1fr)] lg:gap-20">
        <div className="stack gap-3">
          <h2 className="t36">About the membership</h2>
          <More href="/faq">All questions</More>
        </div>
        <Answers name="membership" asked={QUESTIONS} />
      </div>
    </section>
    <section className="pb-(--section)">
      <div className="wrap grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[360px_minmax(0,1fr)] lg:gap-20">
        <div className="stack gap-3">
          <h2 className="t36">PawCare cover</h2>
          <More href="/pawcare">All of it on one page</More>
        </div>
        <div className="stack gap-8">
          <PawCareQuestions />
          <Insurer />
        </div>
      </div>
    </section>
  </>
)
