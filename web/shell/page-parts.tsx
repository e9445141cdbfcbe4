import type { ReactNode } from 'react'
import type { Advice } from '#contract/content.ts'
import { PROMISED_MINUTES } from '#contract/consultations.ts'
import { money, REGIONS } from '#contract/regions.ts'
import { useRegion, useSite } from '../lib/site.ts'
import { LinkButton } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { Scene } from '../ui/scene.tsx'
import { REGION_WORDS } from './region-words.ts'
import { ReviewedBy } from './reviewed-by.tsx'

/* Parts that several public pages share. */

/** The sentences that differ by region. */
export function useHere() {
  const { region } = useSite()
  const { regulator, tax } = REGIONS[region]
  return { ...REGION_WORDS[region], regulator, taxIncluded: `${tax.name} is included.` }
}

export function usePrices() {
  const { prices, pawcare, currency } = useRegion()
  const said = (minor: number) => money(minor, currency)
  return {
    consult: said(prices.consult),
    annual: said(prices.annual),
    monthly: said(prices.monthly),
    giftCard: said(prices.giftCard),
    cover: said(pawcare.yearly),
    excess: said(pawcare.excess),
    example: said(pawcare.example),
    examplePaid: said(pawcare.example - pawcare.excess),
    incidents: pawcare.incidents,
    waitHours: pawcare.waitHours,
  }
}

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']
const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** From how many consults a year the membership costs less, at the region's own prices. */
export function BreakEven({ className }: { className: string }) {
  const { prices, currency } = useRegion()
  const most = Math.floor(prices.annual / prices.consult)
  return (
    <p className={`text-balance text-ink-soft ${className}`}>
      {`${COUNTS[most]} consults come to ${money(most * prices.consult, currency)}. From the ${PLACES[most]} in a year, membership costs less.`}
    </p>
  )
}

export const ChatNow = () => (
  <LinkButton
    variant="urgent"
    size={56}
    href="/how-it-works#hiw-pricing2"
    className="w-full sm:w-auto sm:min-w-44"
  >
    Chat now
  </LinkButton>
)

/** For signed-in members. Only the browser knows that, and marks the page before the first paint. */
export const ForMembers = ({ className = '' }: { className?: string }) => (
  <div
    className={`hidden rounded-panel bg-green-soft p-6 text-green-soft-ink in-data-member:block lg:p-8 ${className}`}
  >
    <p className="t22">You’re a member</p>
    <p className="mt-1">Consults cost you nothing, and your pets are already there.</p>
    <LinkButton variant="primary" size={56} href="/myaccount" className="mt-5">
      Start from My account
    </LinkButton>
  </div>
)

/** A page's heading and lead, with a drawing beside them where there's room. */
export const PageHead = ({
  title,
  lead,
  scene,
  children,
}: {
  title: ReactNode
  lead: ReactNode
  scene?: string
  children?: ReactNode
}) => (
  <section className="pt-8 pb-10 lg:py-16">
    <div
      className={`wrap grid grid-cols-[minmax(0,1fr)] gap-8 lg:gap-12 ${scene ? 'md:grid-cols-[repeat(2,minmax(0,1fr))] md:items-center' : ''}`}
    >
      <div className="stack content-center justify-items-start gap-5 lg:gap-6">
        <h1 className="max-w-full t48">{title}</h1>
        <p className="max-w-measure lead">{lead}</p>
        {children}
      </div>
      {scene && <Scene scene={scene} fetchPriority="high" />}
    </div>
  </section>
)

export const More = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link
    href={href}
    className="inline-flex min-h-11 items-center gap-1 justify-self-start font-semi no-underline hover:underline"
  >
    {children}
    <Icon name={href.startsWith('#') ? 'arrow-down' : 'arrow-right'} />
  </Link>
)

export const IconTile = ({ icon }: { icon: IconName }) => (
  <span className="grid size-12 place-items-center rounded-card bg-green-soft text-green-soft-ink">
    <Icon name={icon} size={24} />
  </span>
)

export const Checks = ({ points }: { points: readonly string[] }) => (
  <ul className="stack content-start gap-3">
    {points.map((point) => (
      <li key={point} className="grid grid-cols-[20px_minmax(0,1fr)] items-start gap-3 leading-6">
        <Icon name="check" strokeWidth={3} className="mt-0.5 text-green" />
        <span>{point}</span>
      </li>
    ))}
  </ul>
)

export const CallToAct = ({
  title,
  lead,
  narrow,
  children,
}: {
  title: string
  lead: string
  /** As wide as the narrow column above it. */
  narrow?: boolean
  children: ReactNode
}) => (
  <section className="section print:hidden">
    <div className={narrow ? 'wrap-narrow' : 'wrap'}>
      <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-5 rounded-panel bg-green-soft px-6 py-8 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center lg:gap-10 lg:px-16 lg:py-12">
        <div className="stack gap-2">
          <h2 className="t36">{title}</h2>
          <p className="lead text-green-soft-ink">{lead}</p>
        </div>
        <div className="flex w-full flex-wrap items-center gap-x-5 gap-y-3 lg:w-auto">{children}</div>
      </div>
    </div>
  </section>
)

/** Whether a vet should join within the promised time right now. If not, the page doesn't mention the promise. */
export function useKeepsPromise() {
  const { queue } = useSite()
  return !queue || (queue.minutes !== null && queue.minutes[1] <= PROMISED_MINUTES)
}

/** The signs that can't wait. Without reviewed ones, it says only what is true of every emergency. */
export function GoNow({
  signs,
  level = 2,
  className = '',
}: {
  signs: Advice | undefined
  level?: 2 | 3
  className?: string
}) {
  const Heading = `h${level}` as const
  const said = signs?.lines ?? ['Can’t breathe, collapsed, or bleeding that won’t stop']
  return (
    <section
      className={`grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] gap-4 rounded-card bg-coral-soft p-5 lg:p-6 ${className}`}
    >
      <Heading className="flex items-center gap-2 t22 text-coral-soft-ink">
        <Icon name="siren" size={24} />
        Go to a clinic now
      </Heading>
      <ul className="stack list-disc gap-2 pl-5">
        {said.map((sign) => (
          <li key={sign}>{sign}</li>
        ))}
      </ul>
      <div>
        <p className="font-semi">Phone ahead, so that they’re ready for you.</p>
        {signs && <ReviewedBy review={signs.reviewed} className="text-coral-soft-ink" />}
      </div>
    </section>
  )
}

export function WorriedNow({ price }: { price?: string }) {
  const isSoon = useKeepsPromise()
  return (
    <CallToAct
      title="Worried right now?"
      lead={
        isSoon
          ? `Two minutes to tell us. A vet within ${PROMISED_MINUTES} minutes.`
          : 'Two minutes to tell us. You’ll see how long a vet takes before you pay.'
      }
    >
      <ChatNow />
      {price && <p className="text-ink-soft">{price} a consult</p>}
    </CallToAct>
  )
}
