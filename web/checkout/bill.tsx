import type { ComponentProps } from 'react'
import { CONSULT_TYPES } from '#contract/consultations.ts'
import { discounted } from '#contract/discounts.ts'
import { money } from '#contract/regions.ts'
import { useRegion } from '../lib/site.ts'
import { say } from '../ui/say.ts'
import { OrderButton } from '../purchases/order-button.tsx'
import { useCoupon } from '../purchases/queries.ts'
import { PriceSummary } from '../purchases/price-summary.tsx'
import type { ConsultType } from './purchase-rules.ts'

/** The server's price, if it differs from ours, and the code that it belongs to. */
export interface Told {
  amount: number
  code: string
}

/** The page's own calculation of the price with a code. The server calculates it again. */
export function useBill(code: string, told: Told | undefined) {
  const { prices, currency } = useRegion()
  const { coupon, ...lookup } = useCoupon(code, 'consult')
  const worked = coupon ? discounted(prices.consult, coupon) : prices.consult
  const pays = told?.code === code ? told.amount : worked
  const full = coupon ? prices.consult : pays
  const said = (minor: number) => money(minor, currency)
  return {
    ...lookup,
    currency,
    pays,
    code: coupon ? code : '',
    says: { full: said(full), pays: said(pays), off: said(full - pays) },
  }
}
export type Bill = ReturnType<typeof useBill>

/** The price of video or text, with the full price beside it when a coupon applies. */
export const Price = ({ bill: { pays, says, code } }: { bill: Bill }) =>
  code ? (
    <>
      {says.pays}{' '}
      <s className="text-14 font-regular text-ink-soft">
        <span className="sr-only">{say('instead of')} </span>
        {says.full}
      </s>
      {pays === 0 && (
        <span className="sr-only">
          {', '}
          {say('nothing to pay')}
        </span>
      )}
    </>
  ) : (
    says.full
  )

export const Sum = ({ bill: { says, code }, type }: { bill: Bill; type: ConsultType }) => (
  <PriceSummary
    what={type === CONSULT_TYPES.video ? say('Video consult') : say('Text consult')}
    full={says.full}
    code={code && say('Coupon {code}', { code })}
    off={says.off}
    due={say('To pay')}
    pays={says.pays}
  />
)

type PayButtonProps = Omit<ComponentProps<typeof OrderButton>, 'busyLabel' | 'children'> & {
  bill: Bill
  type: ConsultType
  /** That the price has changed. */
  news: string
}

export function sayPress(type: ConsultType, bill: Bill) {
  const pays = bill.pays > 0 ? bill.says.pays : undefined
  if (type === CONSULT_TYPES.video)
    return pays ? say('Pay {pays} and start video', { pays }) : say('Pay nothing and start video')
  return pays ? say('Pay {pays} and start chat', { pays }) : say('Pay nothing and start chat')
}

/** The only button that charges the card. It shows the amount. */
export const PayButton = ({ bill, type, news, ...button }: PayButtonProps) => (
  <div className="stack gap-2">
    {news && (
      <p role="alert" className="text-center text-14 font-medium text-amber-soft-ink">
        {news}
      </p>
    )}
    <OrderButton busyLabel={say('Paying…')} {...button}>
      {sayPress(type, bill)}
    </OrderButton>
  </div>
)
