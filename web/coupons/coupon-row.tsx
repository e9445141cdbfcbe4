import type { Coupon } from '#contract/coupons.ts'
import { money, REGIONS } from '#contract/regions.ts'
import { day } from '../lib/dates.ts'
import { now } from '../lib/session.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { TwoLines, WorkCell, WorkRow } from '../ui/work-table.tsx'
import { kindOf, lastDayOf } from './coupon-rules.ts'

const PRODUCTS: Record<Coupon['product'], string> = {
  both: 'Consult or membership',
  consult: 'One consult',
  membership: 'Membership',
}

function offSaid(coupon: Coupon): string {
  const kind = kindOf(coupon)
  // Only a percentage can apply to every region.
  if (kind === 'percent_off' || coupon.region === null) return `${coupon.percent_off}% off`
  const { currency } = REGIONS[coupon.region]
  return kind === 'amount_off'
    ? `${money(coupon.amount_off!, currency)} off`
    : `Fixed price ${money(coupon.left_to_pay!, currency)}`
}

function paymentsSaid({ product, length }: Coupon): string {
  if (product === 'consult') return ''
  if (length === null) return 'First payment'
  return length === 1 ? 'For 1 month' : `For ${length} months`
}

const isOver = ({ end }: Coupon) => end !== null && Date.parse(end) < now()
const isUsedUp = ({ uses, used }: Coupon) => uses !== null && used >= uses

/** How often one buyer may use it, and what it has cost us. */
const usedSaid = ({ uses_each, given }: Coupon) =>
  [
    uses_each !== null && `${uses_each} per buyer`,
    given.length > 0 && `${given.map((one) => money(one.amount, one.currency)).join(' and ')} given`,
  ]
    .filter(Boolean)
    .join(', ')

export function CouponRow({
  coupon,
  onEdit,
  onRemove,
}: {
  coupon: Coupon
  onEdit: (coupon: Coupon) => void
  onRemove: (coupon: Coupon) => void
}) {
  const { code, referrer, region, product, uses, used, end } = coupon
  // Each region may have a coupon with this code.
  const named = region ? `${code}, ${REGIONS[region].name}` : code
  return (
    <WorkRow>
      <WorkCell className="cards:order-1 cards:col-span-2 cards:self-center">
        <TwoLines bold first={code} then={referrer} />
      </WorkCell>
      <WorkCell className="cards:order-3">
        <TwoLines first={offSaid(coupon)} then={paymentsSaid(coupon)} />
      </WorkCell>
      <WorkCell className="cards:order-4 cards:col-span-2 cards:text-right">
        <TwoLines first={PRODUCTS[product]} then={region ? REGIONS[region].name : 'Every region'} />
      </WorkCell>
      <WorkCell className="tabular-nums cards:order-5">
        <TwoLines
          first={
            <>
              {uses === null ? used : `${used} of ${uses}`}
              <span className="table:hidden"> used</span>
            </>
          }
          then={usedSaid(coupon)}
        />
      </WorkCell>
      <WorkCell className="tabular-nums cards:order-6 cards:col-span-2 cards:text-right">
        <TwoLines
          first={
            <span className={end === null ? 'text-ink-soft' : ''}>
              {end === null ? 'No end' : day(lastDayOf(coupon))}
            </span>
          }
          then={
            coupon.deleted_at !== null ? 'Removed' : isOver(coupon) ? 'Ended' : isUsedUp(coupon) && 'Used up'
          }
        />
      </WorkCell>
      <WorkCell className="cards:order-2 cards:-mt-2 cards:-mr-2">
        <span className="flex justify-end text-ink-soft table:-mr-2">
          {coupon.deleted_at === null && (
            <>
              <IconButton label={`Edit ${named}`} icon="pencil" onClick={() => onEdit(coupon)} />
              <IconButton label={`Remove ${named}`} icon="trash-2" onClick={() => onRemove(coupon)} />
            </>
          )}
        </span>
      </WorkCell>
    </WorkRow>
  )
}
