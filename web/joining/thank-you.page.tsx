import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Room } from '#contract/consultations.ts'
import { OFFER_DAYS, OFFERS } from '#contract/discounts.ts'
import type { Plan } from '#contract/memberships.ts'
import { money, type Region, REGIONS } from '#contract/regions.ts'
import { roomQuery } from '../consultations/room-queries.ts'
import { Rating } from '../aftercare/rating.tsx'
import { messageOf } from '../lib/for-form.ts'
import { isPast } from '../lib/is-past.ts'
import { dayAndTime } from '../lib/dates.ts'
import { pageMeta } from '../lib/meta.ts'
import { singleToken, useSession } from '../lib/session.ts'
import { useSite } from '../lib/site.ts'
import { OTHER } from '../pets/first-pet.ts'
import { hasBreed } from '../pets/pet-rules.ts'
import { leaveDraft, readDraft } from '../ui/form-draft.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { say, sayLines, sentence, type Sentence } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Scene } from '../ui/scene.tsx'
import { InProgress } from '../consultations/in-progress.tsx'
import { isPaidAndKept } from '../consultations/refunded.tsx'
import { currentUser } from '../lib/current-user.ts'
import { IN_ADDRESS } from './offer.ts'
import { useTakeOffer } from './queries.ts'

export const meta = () => pageMeta(say('Thank you'), say('Rate your consult, and keep a vet on hand.'))

/** After a consult that was bought without a membership: asks for a rating and offers a membership. */
export default function ThankYou() {
  const [asked] = useSearchParams()
  const id = Number(/^\d{1,9}$/.exec(asked.get('consultation') ?? '')?.[0] ?? 0)
  const session = useSession()
  const mayAsk = id > 0 && (session === 'in' || (session === 'out' && singleToken(id) !== undefined))
  const room = useQuery({ ...roomQuery(id), enabled: mayAsk })
  const isOver = room.data !== undefined && room.data.end !== null && !room.data.cancelled
  const isOffered = isOver && isPaidAndKept(room.data)
  const user = useQuery({ ...currentUser, enabled: session === 'in' })
  const buyer = isOver && session === 'out' ? room.data : undefined
  useEffect(() => buyer && leaveForJoining(buyer), [buyer])
  const site = useSite()
  /** An account keeps its prices on every host. */
  const region = user.data?.region ?? site.region
  if (room.data?.end === null)
    return (
      <div className="wrap stack max-w-[calc(720px+2*var(--gutter))] gap-6 pt-6 pb-12 lg:pt-12 lg:pb-16">
        <h1 className="t36">{say('Your consult is still open')}</h1>
        <InProgress consultation={room.data} />
      </div>
    )
  const isUnknown = session === 'unknown' || (session === 'in' && !user.data)
  const isMember = Boolean(user.data?.subscription)
  const join = session === 'in' ? '/upgrade' : '/subscribe'

  return (
    <div className="wrap stack gap-10 pt-8 pb-16 lg:gap-14 lg:pt-16 lg:pb-24">
      <div className="grid grid-cols-[minmax(0,1fr)] items-center gap-8 lg:grid-cols-[minmax(0,1fr)_400px] lg:gap-16">
        <div className="stack content-start gap-5">
          <h1 className="t36">{say('Thank you')}</h1>
          <p className="lead">
            {isOver
              ? say('We hope {pet} feels better soon. The plan and the conversation stay in your consult.', {
                  pet: room.data.pet.name,
                })
              : say('We hope your pet feels better soon.')}
          </p>
          {isOver && <Afterwards room={room.data} />}
          {!mayAsk && session === 'in' && (
            <div>
              <LinkButton href="/myaccount">{say('My account')}</LinkButton>
            </div>
          )}
        </div>
        <Scene scene="cat-on-lap" className="w-full rounded-panel max-lg:hidden" />
      </div>
      {isOver && <Rating room={room.data} />}
      {mayAsk && room.isPending && <Skeleton className="h-36 rounded-card!" />}
      {!isMember && !isUnknown && (
        <>
          {isOffered ? (
            <PersonalOffer region={region} room={room.data} join={join} />
          ) : (
            <PlansAtFullPrice region={region} join={join} />
          )}
          <Features />
        </>
      )}
    </div>
  )
}

/** The form in which the buyer may join has what the consult knows, and what they typed since. */
const leaveForJoining = ({ pet: { name, species_id }, user }: Room) =>
  leaveDraft('joining', {
    name,
    ...(species_id !== null &&
      (hasBreed(String(species_id))
        ? { species: String(species_id) }
        : { species: OTHER, other: String(species_id) })),
    ...user,
    ...readDraft('joining'),
  })

/** What happens next, before any offer: the plan, the follow-up, the receipt. */
function Afterwards({ room }: { room: Room }) {
  const { id, user, follow_up_until, paid, check_in } = room
  return (
    <div className="stack gap-5">
      <ol className="stack gap-3" aria-label={say('What happens next')}>
        <Step icon="file-text">
          {say('The vet’s plan is in your consult, and on its way to {email}.', { email: user.email })}
        </Step>
        {follow_up_until && !isPast(follow_up_until) && (
          <Step icon="message-circle">
            {say('Ask follow-up questions free until {time}.', { time: dayAndTime(follow_up_until) })}
          </Step>
        )}
        {check_in.answer === null && (
          <Step icon="heart-pulse">{say('A day after the consult we’ll ask how your pet is.')}</Step>
        )}
        {paid && paid.amount > 0 && <Step icon="credit-card">{say('Your receipt is in your inbox.')}</Step>}
      </ol>
      <div>
        <LinkButton href={`/text-chat/${id}`} icon="file-text">
          {say('Back to the plan')}
        </LinkButton>
      </div>
    </div>
  )
}

const Step = ({ icon, children }: { icon: IconName; children: string }) => (
  <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-3 leading-6 [overflow-wrap:anywhere]">
    <Icon name={icon} className="mt-0.5 text-green" />
    {children}
  </li>
)

/** A personal coupon for the buyer of a consult. */
function PersonalOffer({ region, room, join }: { region: Region; room: Room; join: string }) {
  const { prices, currency } = REGIONS[region]
  const take = useTakeOffer(room.id)
  const choose = (plan: Plan) =>
    take.mutate(
      { id: room.id, plan },
      { onSuccess: ({ code }) => location.assign(`${join}?plan=${IN_ADDRESS[plan]}&coupon=${code}`) },
    )
  const press = (plan: Plan) => ({
    wide: true,
    busy: take.isPending && take.variables.plan === plan,
    busyLabel: say('One moment…'),
    onClick: () => choose(plan),
  })
  const { amount } = OFFERS.annual(region)
  const off = money(amount, currency)
  const { months } = OFFERS.monthly
  return (
    <OfferFrame
      says={say(
        'As a member, you can ask a vet as often as you need, for up to five pets. This offer is just for you: join with {email}. You can use it once. It lasts {days} days from when you first choose a plan.',
        { email: room.user.email, days: OFFER_DAYS },
      )}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <PlanCard
          title={say('Annual')}
          price={money(prices.annual - amount, currency)}
          per={say('the first year')}
          note={say('{off} off, then {price} a year until you cancel.', {
            off,
            price: money(prices.annual, currency),
          })}
        >
          <Button variant="primary" {...press('annual')}>
            {say('Get {off} off a year', { off })}
          </Button>
        </PlanCard>
        <PlanCard
          title={say('Monthly')}
          price={money(0, currency)}
          per={say('for {months} months', { months })}
          note={say('You add a card, and after that we charge it {price} a month until you cancel.', {
            price: money(prices.monthly, currency),
          })}
        >
          <Button {...press('monthly')}>{say('Get {months} months free', { months })}</Button>
        </PlanCard>
      </div>
      <ErrorLine>{take.error && sayLines(messageOf(take.error))}</ErrorLine>
      {take.data && (
        <p className="text-14 text-ink-soft">
          {say('Your code {code} is valid until {time}.', {
            code: take.data.code,
            time: dayAndTime(take.data.end),
          })}
        </p>
      )}
    </OfferFrame>
  )
}

function PlansAtFullPrice({ region, join }: { region: Region; join: string }) {
  const { prices, currency } = REGIONS[region]
  return (
    <OfferFrame says={say('As a member, you can ask a vet as often as you need, for up to five pets.')}>
      <div className="grid gap-4 md:grid-cols-2">
        <PlanCard
          title={say('Annual')}
          price={money(prices.annual, currency)}
          per={say('a year')}
          note={say('Renews each year until you cancel.')}
        >
          <LinkButton variant="primary" wide href={`${join}?plan=${IN_ADDRESS.annual}`}>
            {say('Join yearly')}
          </LinkButton>
        </PlanCard>
        <PlanCard
          title={say('Monthly')}
          price={money(prices.monthly, currency)}
          per={say('a month')}
          note={say('Renews each month until you cancel.')}
        >
          <LinkButton wide href={`${join}?plan=${IN_ADDRESS.monthly}`}>
            {say('Join monthly')}
          </LinkButton>
        </PlanCard>
      </div>
    </OfferFrame>
  )
}

const OfferFrame = ({ says, children }: { says: string; children: ReactNode }) => (
  <section aria-labelledby="offer" className="stack gap-5">
    <div className="stack gap-2">
      <h2 id="offer" className="t28">
        {say('Keep a vet on hand')}
      </h2>
      <p className="max-w-[60ch] [overflow-wrap:anywhere] text-ink-soft">{says}</p>
    </div>
    {children}
  </section>
)

const PlanCard = ({
  title,
  price,
  per,
  note,
  children,
}: {
  title: string
  price: string
  per: string
  note: string
  children: ReactNode
}) => (
  <Card className="stack content-start gap-3">
    <h3 className="t18">{title}</h3>
    <p className="t28 font-bold tabular-nums">
      {price} <span className="text-16 font-regular tracking-normal text-ink-soft">{per}</span>
    </p>
    <p className="text-14 text-ink-soft">{note}</p>
    <div className="mt-2 self-end">{children}</div>
  </Card>
)

const FEATURES: { icon: IconName; title: Sentence; says: Sentence }[] = [
  {
    icon: 'message-circle',
    title: sentence('As often as you need'),
    says: sentence('Text or video, with nothing to pay per consult.'),
  },
  {
    icon: 'shield-plus',
    title: sentence('PawCare cover'),
    says: sentence('For your cats and dogs, in seven emergencies.'),
  },
  {
    icon: 'users',
    title: sentence('Up to five pets'),
    says: sentence('One membership, and every species is welcome.'),
  },
  {
    icon: 'clipboard-list',
    title: sentence('A care plan each'),
    says: sentence('What’s due and when, with a reminder by email.'),
  },
  {
    icon: 'file-text',
    title: sentence('Everything saved'),
    says: sentence('Plans and conversations, for you and for your own vet.'),
  },
]

/** Shows three at a time, two on a tablet, one on a phone. Scrolls by swipe, wheel or buttons. */
function Features() {
  const list = useRef<HTMLUListElement>(null)
  const [ends, setEnds] = useState({ first: true, last: false })
  const look = () => {
    const { scrollLeft = 0, clientWidth = 0, scrollWidth = 0 } = list.current ?? {}
    setEnds({ first: scrollLeft <= 1, last: scrollLeft + clientWidth >= scrollWidth - 1 })
  }
  useEffect(look, [])
  const go = (way: 1 | -1) => {
    const card = list.current?.firstElementChild
    list.current?.scrollBy({ left: way * ((card?.clientWidth ?? 0) + 16) })
  }
  return (
    <section aria-labelledby="features" className="stack gap-5">
      <div className="flex items-center justify-between gap-4">
        <h2 id="features" className="t28">
          {say('What you get')}
        </h2>
        <div className="flex">
          <IconButton
            label={say('Previous')}
            icon="chevron-left"
            aria-disabled={ends.first}
            onClick={() => go(-1)}
          />
          <IconButton
            label={say('Next')}
            icon="chevron-right"
            aria-disabled={ends.last}
            onClick={() => go(1)}
          />
        </div>
      </div>
      <ul
        ref={list}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must reach anything that scrolls
        tabIndex={0}
        aria-labelledby="features"
        onScroll={look}
        className="-m-1 flex scroll-p-1 snap-x snap-mandatory gap-4 overflow-x-auto p-1 [scrollbar-width:none] motion-safe:scroll-smooth"
      >
        {FEATURES.map(({ icon, title, says }) => (
          <li
            key={icon}
            className="stack flex-[0_0_100%] snap-start content-start gap-3 rounded-card border border-line bg-card p-5 md:flex-[0_0_calc((100%-16px)/2)] lg:flex-[0_0_calc((100%-32px)/3)]"
          >
            <span className="grid size-12 place-items-center rounded-full bg-green-soft text-green-soft-ink">
              <Icon name={icon} size={24} />
            </span>
            <h3 className="font-semi">{say(title)}</h3>
            <p className="text-ink-soft">{say(says)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
