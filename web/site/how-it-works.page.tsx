import type { ReactNode } from 'react'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import type { Advice } from '#contract/content.ts'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { pageMeta } from '../lib/meta.ts'
import { pageOf } from '../lib/page-request.ts'
import { useSite } from '../lib/site.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { adviceOf } from '../shell/advice.ts'
import {
  BreakEven,
  CallToAct,
  Checks,
  ForMembers,
  More,
  PageHead,
  GoNow,
  useHere,
  useKeepsPromise,
  usePrices,
} from '../shell/page-parts.tsx'
import { ProductData } from '../shell/structured-data.tsx'
import { LiveNow } from './live-now.tsx'

export const meta = () =>
  pageMeta(
    'How it works and what it costs',
    `Three steps from worried to a plan: tell us, a registered vet joins within ${PROMISED_MINUTES} minutes, know what to do next. Pay once, or join as a member.`,
  )

export const loader = ({ context }: LoaderFunctionArgs) => adviceOf(pageOf(context), 'signs')

export default function HowItWorks() {
  const signs = useLoaderData<typeof loader>()
  return (
    <>
      <PageHead
        title="From worried to a plan, in three steps"
        lead="No appointment, no app to install. If you can send a message, you can talk to a vet."
        scene="vet-at-screen"
      >
        <More href="#hiw-pricing2">What it costs</More>
      </PageHead>
      <Steps />
      <Prices />
      <ProductData of="consult" />
      <FromHere signs={signs} />
      <CallToAct title="Still deciding?" lead="Read the short answers, or ask us.">
        <LinkButton href="/faq">Read the questions</LinkButton>
        <More href="/contact">Contact us</More>
      </CallToAct>
    </>
  )
}

function Steps() {
  const { consult } = usePrices()
  const isSoon = useKeepsPromise()
  const steps = [
    [
      'Tell us what’s wrong',
      `Choose text or video. Say which pet, what you saw and when it began. Pay ${consult}, or nothing if you’re a member.`,
      'About two minutes',
    ],
    [
      'A vet joins you',
      'You can see your place in the queue. Have your pet’s weight, medicines and a photo ready. You can close the page: we’ll email you.',
      isSoon ? `Within ${PROMISED_MINUTES} minutes` : 'You’ll see the wait before you pay',
    ],
    [
      'Know what to do next',
      'Care at home, a visit in the morning, or go now: the vet writes it down and we email it. A day later we check in.',
      'About 20 minutes',
    ],
  ] as const
  return (
    <section>
      <ol className="wrap grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-3 lg:gap-6">
        {steps.map(([title, words, takes], index) => (
          <li
            key={title}
            className="grid grid-cols-[40px_minmax(0,1fr)] gap-x-4 gap-y-2 rounded-card border border-line bg-card p-5 md:grid-cols-[minmax(0,1fr)] md:grid-rows-[auto_auto_1fr_auto] md:gap-3 lg:p-6"
          >
            <span
              aria-hidden="true"
              className="row-span-3 grid size-10 place-items-center rounded-full bg-green-soft text-18 font-bold text-green-soft-ink md:row-auto"
            >
              {index + 1}
            </span>
            <h2 className="t22">{title}</h2>
            <p className="text-ink-soft">{words}</p>
            <p className="mt-1">
              <Badge icon="clock">{takes}</Badge>
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Prices() {
  const { consult, annual, monthly, giftCard, cover } = usePrices()
  const { taxIncluded } = useHere()
  const { shop } = useSite()
  return (
    <section id="hiw-pricing2" className="section scroll-mt-16">
      <div id="pricing-v2" className="wrap scroll-mt-24">
        <div className="mx-auto mb-8 stack max-w-measure justify-items-center gap-3 text-center lg:mb-12">
          <h2 className="t36">What it costs</h2>
          <p className="lead text-balance">The price you see is the price you pay. {taxIncluded}</p>
        </div>
        <ForMembers className="mx-auto max-w-[880px]" />
        <div className="mx-auto grid max-w-[880px] grid-cols-[minmax(0,1fr)] gap-4 in-data-member:hidden md:grid-cols-2 lg:gap-6">
          <Plan title="One consult" price={consult} per="once" words="For the problem in front of you.">
            <Checks
              points={[
                'Text or video with a registered vet',
                'No account needed',
                'The plan in writing, by email',
                'Follow-up questions free for 48 hours',
                `A full refund if no vet joins within ${PROMISED_MINUTES} minutes`,
              ]}
            />
            <div className="stack gap-4 self-end">
              <LiveNow />
              <LinkButton variant="urgent" size={56} wide href="/chat-purchase">
                {`Chat now for ${consult}`}
              </LinkButton>
            </div>
          </Plan>
          <Plan
            title="Membership"
            badge="Up to five pets"
            price={annual}
            per="a year"
            words={`Or ${monthly} a month. Renews automatically; cancel whenever you like.`}
          >
            <Checks
              points={[
                'As many consults as you need',
                `PawCare cover of up to ${cover} a year, for cats and dogs`,
                'A care plan for each pet, with reminders',
                ...(shop ? [`${giftCard} gift card for ${shop}`] : []),
                '10% off an additional membership',
              ]}
            />
            <LinkButton size={56} wide href="/petculture-plus" className="self-end">
              See the membership
            </LinkButton>
          </Plan>
        </div>
        <BreakEven className="mt-6 text-center in-data-member:hidden" />
      </div>
    </section>
  )
}

const Plan = ({
  title,
  badge,
  price,
  per,
  words,
  children,
}: {
  title: string
  badge?: string
  price: string
  per: string
  words: string
  children: ReactNode
}) => (
  <section className="grid grid-rows-[auto_auto_1fr_auto] gap-5 rounded-panel border border-line bg-card p-5 md:row-span-4 md:grid-rows-subgrid lg:p-8">
    <div className="flex flex-wrap items-center justify-between gap-2">
      <h3 className="t22">{title}</h3>
      {badge && <Badge tone="green">{badge}</Badge>}
    </div>
    <div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <b className="text-[min(var(--size-48),15vw)] leading-none tracking-[var(--track-48)]">{price}</b>
        <span className="text-ink-soft">{per}</span>
      </p>
      <p className="mt-2 text-ink-soft">{words}</p>
    </div>
    {children}
  </section>
)

const GOOD = [
  '“Can this wait until morning?”',
  'Vomiting, diarrhoea, not eating',
  'Scratching, lumps, ears and eyes',
  'Limping, a cut, a broken nail',
  'Ate something they shouldn’t have',
  'Questions about medicine, food and behaviour',
]

const FromHere = ({ signs }: { signs: Advice | undefined }) => (
  <section className="section bg-paper-sunk">
    <div className="wrap">
      <h2 className="mb-8 t36 lg:mb-12">What a vet can do from here</h2>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 lg:gap-6">
        <Card className="grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] gap-4">
          <h3 className="t22">Good for a chat</h3>
          <Checks points={GOOD} />
          <p className="font-semi">Not sure which it is? Ask. That’s what we’re here for.</p>
        </Card>
        <GoNow signs={signs} level={3} />
      </div>
    </div>
  </section>
)
