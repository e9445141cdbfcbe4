import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { PaymentMethod as Method } from '#contract/payments.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useLastShown } from '../lib/last-shown.ts'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { say, sentence } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { CardMark } from './card-mark.tsx'
import { ageOfCard, brandName } from './card-rules.ts'
import { LateCardDialog } from './late-card-dialog.tsx'
import { myPaymentMethod } from './queries.ts'

export function PaymentMethod({ partnerPays }: { partnerPays: boolean }) {
  const asked = useQuery(myPaymentMethod)
  const card = asked.data
  const [asks, setAsks] = useState(false)
  return (
    <Frame>
      {card ? (
        <OnFile card={card} />
      ) : card === null ? (
        <p className="text-ink-soft">
          {partnerPays
            ? say('No card yet. Your partner pays for your membership, so you don’t need one for it.')
            : say(
                'No card yet. You’ll need one before you add a pet or become a member. Adding it costs nothing.',
              )}
        </p>
      ) : (
        <RowsLoading of={asked} what={say('your card')} waits={<CardSkeleton />} />
      )}
      {card !== undefined && (
        <div>
          <Button size={44} variant={isOld(card) ? 'primary' : 'line'} onClick={() => setAsks(true)}>
            {card ? say('Replace card') : say('Add card')}
          </Button>
        </div>
      )}
      {asks && <LateCardDialog replaces={card != null} onClose={() => setAsks(false)} />}
    </Frame>
  )
}

const isOld = (card: Method | null) => card !== null && ageOfCard(card) === 'expired'

const until = ({ exp_month, exp_year }: Method) =>
  `${String(exp_month).padStart(2, '0')} / ${String(exp_year).slice(-2)}`

const WARNINGS = {
  soon: {
    look: { tone: 'amber', icon: 'clock' },
    badge: sentence('Expires soon'),
    says: sentence('Replace it before it expires so your next payment goes through.'),
  },
  expired: {
    look: { tone: 'red', icon: 'circle-alert' },
    badge: sentence('Expired'),
    says: sentence('We can’t take your next payment from it. Please replace it.'),
  },
} as const

function OnFile({ card }: { card: Method }) {
  const age = ageOfCard(card)
  const warning = age !== 'good' && WARNINGS[age]
  return (
    <div className="stack gap-4">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
        <CardMark brand={card.brand} large />
        <div>
          <Named {...card} />
          <p className="text-ink-soft tabular-nums">
            {age === 'expired'
              ? say('Expired {month}', { month: until(card) })
              : say('Expires {month}', { month: until(card) })}
          </p>
        </div>
      </div>
      {warning && (
        <div className="stack gap-2">
          <div>
            <Badge {...warning.look}>{say(warning.badge)}</Badge>
          </div>
          <p className="text-ink-soft">{say(warning.says)}</p>
        </div>
      )}
    </div>
  )
}

const Frame = ({ children }: { children: ReactNode }) => (
  <Card id="card" aria-labelledby="payment-method" className="stack content-start gap-5">
    <h2 id="payment-method" className="t22">
      {say('Payment method')}
    </h2>
    {children}
  </Card>
)

function CardSkeleton() {
  const shown = useLastShown('userPayment')
  return (
    <>
      <div aria-busy="true" className="grid h-[3.1rem] grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
        {shown ? <CardMark brand={shown.brand} large /> : <Skeleton className="h-8 w-12" />}
        <div className="stack gap-2">
          {shown ? <Named {...shown} /> : <Skeleton className="h-4 w-3/5" />}
          <Skeleton className="h-4 w-2/5" />
        </div>
      </div>
      <Skeleton round className="h-11 w-36" />
    </>
  )
}

const Named = ({ brand, last4 }: Pick<Method, 'brand' | 'last4'>) => (
  <p className="font-semi">
    {say('{brand} ending in {digits}', {
      brand: brandName(brand),
      digits: <span className="tabular-nums">{last4}</span>,
    })}
  </p>
)

export const PaymentMethodSkeleton = () => (
  <Frame>
    <CardSkeleton />
  </Frame>
)
