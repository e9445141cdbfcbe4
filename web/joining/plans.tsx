import type { Plan } from '#contract/memberships.ts'
import { better, type Promo, PROMOS } from '#contract/discounts.ts'
import { money, type Region, REGIONS } from '#contract/regions.ts'
import { PriceSummary } from '../purchases/price-summary.tsx'
import { AppliedCode, CouponBox, useKeptFocus } from '../purchases/coupon-box.tsx'
import { type CouponLookup, useCoupon } from '../purchases/queries.ts'
import { day } from '../lib/dates.ts'
import { now } from '../lib/session.ts'
import { useSite } from '../lib/site.ts'
import { useBrowserValue } from '../ui/browser-value.ts'
import { ChoiceRow, Choices } from '../ui/choice-card.tsx'
import { Note } from '../ui/note.tsx'
import { say, sentence } from '../ui/say.ts'
import type { Offer } from './offer.ts'

const YEAR = 12

/** The page's own calculation of a plan's price with the codes. The server calculates it again. */
function dealOf(
  plan: Plan,
  promo: Promo | undefined,
  { coupon: found, ...lookup }: CouponLookup,
  region: Region,
) {
  const { prices, currency } = REGIONS[region]
  const coupon = found?.plan && found.plan !== plan ? undefined : found
  const full = prices[plan]
  const { price: pays, off, by } = better(full, promo, coupon)
  const said = (minor: number) => money(minor, currency)
  const months = by === 'coupon' ? (coupon?.length ?? 0) : 0
  const period = plan === 'annual' ? YEAR : 1
  return {
    ...lookup,
    plan,
    pays,
    currency,
    by,
    promo: by === 'promo' ? promo : undefined,
    /** The code that applies, as typed. */
    code: by === 'coupon' ? coupon!.code : '',
    /** The only plan that the coupon is for, if it isn't this one. */
    isFor: found && !coupon ? found.plan : null,
    says: {
      full: said(full),
      pays: said(pays),
      off: said(off),
      couponOff: said(coupon ? full - better(full, undefined, coupon).price : 0),
    },
    /** A coupon can cover more than the first payment. */
    months: months > period ? months : 0,
  }
}
export type Deal = ReturnType<typeof dealOf>

export function useDeals(offer: Offer, region: Region) {
  const lookup = useCoupon(offer.coupon, 'membership')
  const deals = {
    annual: dealOf('annual', offer.promo, lookup, region),
    monthly: dealOf('monthly', offer.promo, lookup, region),
  }
  return { deals, deal: deals[offer.plan] }
}

/** What the plan costs after today's payment. */
function later({ plan, months, by, says }: Deal) {
  if (by === null) return plan === 'annual' ? say('Paid once a year') : say('Paid once a month')
  const price = says.full
  if (plan === 'annual')
    return months > 0
      ? say('For {months} months, then {price} a year', { months, price })
      : say('Then {price} a year', { price })
  return months > 0
    ? say('For {months} months, then {price} a month', { months, price })
    : say('Then {price} a month', { price })
}

const OF_ONE = {
  annual: sentence('This coupon is for the annual plan.'),
  monthly: sentence('This coupon is for the monthly plan.'),
}
const ALIKE = { annual: sentence('Annual'), monthly: sentence('Monthly') }

export function PlanChoice({ deals, offer }: { deals: Record<Plan, Deal>; offer: Offer }) {
  const row = (plan: Plan) => {
    const deal = deals[plan]
    return (
      <ChoiceRow
        name="plan"
        value={plan}
        checked={offer.plan === plan}
        onChange={() => offer.setPlan(plan)}
        title={say(ALIKE[plan])}
        note={later(deal)}
        end={
          <>
            <span className="t18 tabular-nums">{deal.says.pays}</span>
            {deal.by && (
              <s className="text-14 text-ink-soft tabular-nums">
                <span className="sr-only">{say('instead of')} </span>
                {deal.says.full}
              </s>
            )}
          </>
        }
      />
    )
  }
  return (
    <Choices legend={<span className="sr-only">{say('Yearly or monthly')}</span>} across="one">
      {row('annual')}
      {row('monthly')}
    </Choices>
  )
}

/** The applied codes, which of them counts, and a field for another. */
export function Codes({ deal, offer }: { deal: Deal; offer: Offer }) {
  const { promo, unknown } = offer
  const { box, change } = useKeptFocus()
  return (
    <div ref={box} className="stack gap-1">
      {unknown && (
        <Note tone="wait" icon="tag" title={say('We don’t know this promo code')}>
          {say('{code} doesn’t take anything off. This is the full price.', {
            code: <span className="break-words">“{unknown}”</span>,
          })}
        </Note>
      )}
      <div role="status">
        {promo && (
          <AppliedCode code={promo} counts={deal.by === 'promo'} onRemove={() => change(offer.removePromo)}>
            {deal.by === 'coupon'
              ? say('Coupon {coupon} saves you more than code {promo}, so we’ve used the coupon.', {
                  coupon: deal.code,
                  promo,
                })
              : say('Code {promo} applied: {percent}% off the first payment.', {
                  promo,
                  percent: PROMOS[promo],
                })}
          </AppliedCode>
        )}
      </div>
      <CouponBox
        product="membership"
        code={offer.coupon}
        saves={deal.waits ? undefined : deal.says.couponOff}
        outdone={
          deal.isFor
            ? say(OF_ONE[deal.isFor])
            : promo && deal.by === 'promo'
              ? say('Code {promo} saves you more than this coupon, so we’ve used the code.', { promo })
              : undefined
        }
        wrong={deal.wrong}
        onCode={offer.setCoupon}
      />
    </div>
  )
}

export const MembershipSum = ({ deal: { plan, says, by, promo, code } }: { deal: Deal }) => (
  <PriceSummary
    what={plan === 'annual' ? say('Annual plan') : say('Monthly plan')}
    full={says.full}
    code={
      by === 'promo'
        ? say('Code {promo}', { promo: promo! })
        : by === 'coupon'
          ? say('Coupon {code}', { code })
          : ''
    }
    off={says.off}
    due={say('To pay today')}
    pays={says.pays}
  />
)

/** The server's date may differ from the visitor's. */
const useToday = () =>
  useBrowserValue(
    () => new Date(now()).toDateString(),
    () => '',
  )

function nextDay(today: string, months: number) {
  const [from, at] = [new Date(today), new Date(today)]
  at.setDate(1)
  at.setMonth(from.getMonth() + months)
  at.setDate(Math.min(from.getDate(), new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate()))
  return day(at.toISOString())
}

/** Leaves out the date until we know the visitor's own. */
function renews({ plan, months, says: { pays, full } }: Deal, day: string) {
  const annual = plan === 'annual'
  if (months === 0) {
    if (day) return say('Renews on {day} for {price}.', { day, price: full })
    return annual
      ? say('Renews in a year for {price}.', { price: full })
      : say('Renews in a month for {price}.', { price: full })
  }
  const put = { price: pays, full, months }
  if (day)
    return annual
      ? say('Renews on {day} for {price}. After {months} months, it’s {full} a year.', { day, ...put })
      : say('Renews on {day} for {price}. After {months} months, it’s {full} a month.', { day, ...put })
  return annual
    ? say('Renews in a year for {price}. After {months} months, it’s {full} a year.', put)
    : say('Renews in a month for {price}. After {months} months, it’s {full} a month.', put)
}

/** When it renews, for how much, and what it includes. */
export function WhatComes({ deal }: { deal: Deal }) {
  const { shop, region } = useSite()
  const today = useToday()
  const { plan, pays } = deal
  const gift = money(REGIONS[region].prices.giftCard, REGIONS[region].currency)
  return (
    <div className="stack gap-3 text-14 text-ink-soft">
      <p>
        {renews(deal, today && nextDay(today, plan === 'annual' ? YEAR : 1))}{' '}
        {say('We’ll email you five days before. Cancel at any time on My account.')}
      </p>
      {pays === 0 && (
        <p>
          {say(
            'Nothing is charged today. We need a card now because we’ll charge it once the free period is over, unless you cancel before then.',
          )}
        </p>
      )}
      {shop && pays > 0 && (
        <p>
          {say(
            'A week after your first payment, we’ll email you a {gift} gift card for {shop}, once per person and payment card.',
            { gift, shop },
          )}
        </p>
      )}
    </div>
  )
}
