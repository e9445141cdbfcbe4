import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import type { Advice } from '#contract/content.ts'
import { listTestimonials } from '#contract/library.ts'
import { listVetCards, type VetCard } from '#contract/vets.ts'
import { money } from '#contract/regions.ts'
import { pageMeta } from '../lib/meta.ts'
import { askOr, pageOf } from '../lib/page-request.ts'
import { FromCarers } from '../library/testimonials.tsx'
import { useRegion, useSite } from '../lib/site.ts'
import { PetAvatar, VetAvatar } from '../ui/avatar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Scene } from '../ui/scene.tsx'
import { ChatNow, More, useHere, useKeepsPromise, usePrices, WorriedNow } from '../shell/page-parts.tsx'
import { OneVet } from '../vets/vet-cards.tsx'
import { adviceOf } from '../shell/advice.ts'
import { ReviewedBy } from '../shell/reviewed-by.tsx'
import { OrganizationData } from '../shell/structured-data.tsx'
import { LiveNow } from './live-now.tsx'
import { Answers } from './answers.tsx'
import { Reason } from './reason.tsx'

export const meta = () =>
  pageMeta(
    'Video call a vet, wherever you are',
    'Worried about your pet? Ask a registered vet by text or video and know what to do next.',
  )

/** The page works without testimonials and vets' cards: if they don't load, it's shown without them. */
export async function loader({ context }: LoaderFunctionArgs) {
  const page = pageOf(context)
  const [words, vets, signs] = await Promise.all([
    askOr(page, listTestimonials, {}, []),
    askOr(page, listVetCards, {}, []),
    adviceOf(page, 'signs'),
  ])
  return { words, vets, signs }
}

export default function Home() {
  const { words, vets, signs } = useLoaderData<typeof loader>()
  const { consult } = usePrices()
  return (
    <>
      <Hero />
      <Urgent signs={signs} />
      <Benefits />
      <Membership />
      <HowItWorks />
      <Registered vet={vets[0]} />
      <WorriedNow price={consult} />
      <FromCarers words={words} />
      <BeforeYouAsk />
      <OrganizationData />
    </>
  )
}

function Hero() {
  const { hero, proof } = useHere().home
  const isSoon = useKeepsPromise()
  const { consult } = usePrices()
  return (
    <section className="pt-8 pb-10 lg:py-16">
      <div className="wrap grid grid-cols-[minmax(0,1fr)] gap-8 md:grid-cols-[repeat(2,minmax(0,1fr))] md:items-center lg:gap-12">
        <div className="stack content-center justify-items-start gap-5 lg:gap-6">
          <h1 className="t48">
            {hero[0]} <span className="lg:inline-block">{hero[1]}</span> {hero[2]}
          </h1>
          <p className="lead">
            Worried, and not sure how bad it is? Ask a vet by text or video.{' '}
            {isSoon
              ? `You’ll have an answer within ${PROMISED_MINUTES} minutes.`
              : 'You’ll see how long it takes before you pay.'}
          </p>
          <div className="mt-1 flex w-full flex-wrap items-center gap-x-5 gap-y-3 sm:mt-0">
            <ChatNow />
            <p className="text-ink-soft">
              <strong className="text-ink">{`${consult} a consult.`}</strong> No account needed.
            </p>
          </div>
          <LiveNow />
          <ul className="stack gap-2">
            <Proof icon="shield-check">{proof}</Proof>
            <Proof icon="file-text">A written plan after every consult</Proof>
          </ul>
        </div>
        <Scene scene="hero-night" fetchPriority="high" />
      </div>
    </section>
  )
}

const Proof = ({ icon, children }: { icon: IconName; children: string }) => (
  <li className="flex items-start gap-2 leading-6 text-ink-soft">
    <Icon name={icon} className="mt-0.5 text-green" />
    {children}
  </li>
)

const Urgent = ({ signs }: { signs: Advice | undefined }) => (
  <div className="wrap pb-4">
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 gap-y-0.5 rounded-card bg-coral-soft p-4 leading-normal text-coral-soft-ink lg:grid-cols-[auto_minmax(0,1fr)_auto] lg:items-center lg:px-6">
      <Icon name="siren" className="mt-0.5 lg:mt-0" />
      <p>
        <strong>Can’t breathe, collapsed, or bleeding that won’t stop?</strong> Go to the nearest open clinic
        now.
      </p>
      {signs && (
        <details className="group col-start-2 mt-1 open:col-span-2 lg:col-start-3 lg:mt-0 lg:open:col-start-2">
          <summary className="inline-flex min-h-11 list-none items-center gap-1 font-semi underline decoration-1 underline-offset-[0.2em] hover:decoration-2 [&::-webkit-details-marker]:hidden">
            All the signs that can’t wait
            <Icon name="chevron-down" size={16} className="group-open:rotate-180" />
          </summary>
          <ul className="grid grid-cols-[minmax(0,1fr)] list-disc gap-2 pt-1 pb-2 pl-5 md:grid-cols-2 md:gap-x-10">
            {signs.lines.map((sign) => (
              <li key={sign}>{sign}</li>
            ))}
          </ul>
          <ReviewedBy review={signs.reviewed} className="" />
        </details>
      )}
    </div>
  </div>
)

function Benefits() {
  const { hours } = useHere().home
  const benefits: [icon: IconName, title: string, words: string][] = [
    ['clock', ...hours],
    ['video', 'Text or video', 'Type it, send a photo, or show the limp on camera. Switch at any time.'],
    [
      'clipboard-list',
      'A plan in writing',
      'What to do at home, what to watch for, and when to go to a clinic.',
    ],
    [
      'heart-pulse',
      'We check in again',
      'A day later we’ll ask how your pet is doing. It’s part of the consult.',
    ],
  ]
  return (
    <section className="section">
      <div className="wrap">
        <h2 className="mb-8 t36 lg:mb-12">Help that fits the moment you’re in</h2>
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-6 sm:grid-cols-2 lg:grid-cols-4 lg:gap-8">
          {benefits.map(([icon, title, words]) => (
            <li key={title}>
              <Reason icon={icon} title={title}>
                {words}
              </Reason>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function Membership() {
  const { prices, pawcare, currency } = useRegion()
  const { shop } = useSite()
  const reasons = [
    'Unlimited text and video consults',
    `PawCare cover for seven kinds of accident and illness, up to ${money(pawcare.yearly, currency)} a year, for cats and dogs`,
    shop
      ? `${money(prices.giftCard, currency)} gift card for ${shop} when you join`
      : 'A care plan for each pet, with reminders by email',
  ]
  return (
    <section className="pb-(--section) in-data-member:hidden">
      <div className="wrap">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8 rounded-panel bg-night px-6 py-8 text-on-night lg:grid-cols-[1.1fr_1fr] lg:items-center lg:gap-16 lg:p-16 [&_:focus-visible]:outline-on-night">
          <div className="stack gap-6">
            <div className="stack gap-3">
              <h2 className="t36">One membership, up to five pets, no counting</h2>
              <p className="lead text-on-night-soft">
                Ask about the small things too. Members talk to a vet as often as they need.
              </p>
            </div>
            <ul className="stack gap-3">
              {reasons.map((reason) => (
                <li key={reason} className="grid grid-cols-[24px_minmax(0,1fr)] items-start gap-3 leading-6">
                  <span className="grid size-6 place-items-center rounded-full bg-night-line">
                    <Icon name="check" size={16} strokeWidth={3} />
                  </span>
                  {reason}
                </li>
              ))}
            </ul>
          </div>
          <div className="stack justify-items-start gap-6">
            <div className="flex *:shadow-[0_0_0_3px_var(--color-night)] *:not-first:-ml-2">
              <PetAvatar species="dog" size={96} />
              <PetAvatar species="cat" size={96} />
            </div>
            <div>
              <p className="flex flex-wrap items-baseline gap-x-2">
                <b className="text-[min(var(--size-48),15vw)] leading-none tracking-[var(--track-48)]">
                  {money(prices.annual, currency)}
                </b>
                <span>a year</span>
              </p>
              <p className="text-on-night-soft">
                {`or ${money(prices.monthly, currency)} a month. Cancel whenever you like.`}
              </p>
            </div>
            <LinkButton variant="night" size={56} href="/petculture-plus">
              See the membership
            </LinkButton>
          </div>
        </div>
      </div>
    </section>
  )
}

function HowItWorks() {
  const isSoon = useKeepsPromise()
  const steps = [
    ['Tell us what’s wrong', 'Your pet, the problem, and how to reach you. It takes about two minutes.'],
    [
      'A vet joins you',
      `${isSoon ? `Within ${PROMISED_MINUTES} minutes.` : 'You’ll see your place in the queue.'} Leave the page if you have to, and we’ll email you when they’re there.`,
    ],
    ['Know what to do next', 'Most consults take about 20 minutes. The plan is in your inbox afterwards.'],
  ] as const
  return (
    <section className="pb-(--section)">
      <div className="wrap grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-2 lg:gap-20">
        <div>
          <h2 className="mb-8 t36 lg:mb-12">How it works</h2>
          <ol className="stack gap-8">
            {steps.map(([title, words], index) => (
              <li key={title} className="grid grid-cols-[40px_minmax(0,1fr)] gap-x-4 gap-y-1">
                <span
                  aria-hidden="true"
                  className="row-span-2 grid size-10 place-items-center rounded-full bg-green-soft text-18 font-bold text-green-soft-ink"
                >
                  {index + 1}
                </span>
                <h3 className="flex min-h-10 items-center t18">{title}</h3>
                <p className="text-ink-soft">{words}</p>
              </li>
            ))}
          </ol>
        </div>
        <div className="grid place-items-center rounded-panel bg-green-soft px-4 py-8 lg:min-h-110 lg:px-8 lg:py-16">
          <ExampleChat />
        </div>
      </div>
    </section>
  )
}

function ExampleChat() {
  const bubble = 'max-w-[88%] rounded-card px-3.5 py-2.5 text-16 leading-[1.4]'
  return (
    <figure
      aria-label="An example of a text consult"
      className="stack w-full max-w-84 gap-3 rounded-card bg-card p-4 text-14 leading-[1.45] shadow-float"
    >
      <figcaption className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 border-b border-line pb-3">
        <VetAvatar name="Dr Anika Naidoo" size={40} />
        <span>
          <span className="block text-16 font-semi">Dr Anika Naidoo</span>
          <span className="text-ink-soft">An example of a text consult</span>
        </span>
      </figcaption>
      <p className={`${bubble} justify-self-end rounded-br-[4px] bg-bubble-me`}>
        Biscuit ate half a slab of dark chocolate. About 20 minutes ago.
      </p>
      <p className={`${bubble} justify-self-start rounded-bl-[4px] bg-green-soft`}>
        You did well to write now. How much does he weigh, and what does the wrapper say?
      </p>
    </figure>
  )
}

function Registered({ vet }: { vet: VetCard | undefined }) {
  const { regulator } = useHere()
  return (
    <section className="section bg-paper-sunk">
      <div className="wrap grid grid-cols-[minmax(0,1fr)] items-center gap-8 lg:grid-cols-2 lg:gap-24">
        <div className="stack gap-6">
          <div className="stack gap-3">
            <h2 className="t36">You always know who you’re talking to</h2>
            <p className="lead">
              {`Every vet on VetChat is registered with ${regulator}. You’ll see their name and registration number before you start talking.`}
            </p>
          </div>
          <More href="/about">About our vets</More>
        </div>
        {vet ? (
          <div className="w-full max-w-120 lg:justify-self-end">
            <OneVet vet={vet} />
          </div>
        ) : (
          <Scene
            scene="vet-at-screen"
            loading="lazy"
            className="w-full max-w-120 rounded-panel lg:justify-self-end"
          />
        )}
      </div>
    </section>
  )
}

function BeforeYouAsk() {
  const { within } = useHere()
  const isSoon = useKeepsPromise()
  const questions = [
    [
      'How fast does a vet answer?',
      `${isSoon ? within : `You’ll see how long it takes before you pay. If no vet joins within ${PROMISED_MINUTES} minutes, we refund you.`} While you wait, you can see your place in the queue and what to have ready.`,
    ],
    [
      'Is text enough, or do I need video?',
      'Text with a few photos is enough for most problems, and uses very little data. Choose video to show how a pet moves or breathes. You can switch during the consult.',
    ],
    [
      'Do I need an account?',
      'No. Pay once, talk to the vet, and get your plan by email. If you want an account later, your consult moves into it.',
    ],
    [
      'What if it turns out to be an emergency?',
      'The vet will tell you to go and what to do on the way, and send a summary you can show the clinic.',
    ],
  ] as const
  return (
    <section className="pb-(--section)">
      <div className="wrap grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[360px_minmax(0,1fr)] lg:gap-20">
        <div className="stack gap-3">
          <h2 className="t36">Before you ask</h2>
          <p className="lead">Short answers to what people want to know first.</p>
          <More href="/faq">All questions</More>
        </div>
        <Answers name="home" asked={questions} />
      </div>
    </section>
  )
}
