import type { PaymentMethod } from '#contract/payments.ts'
import { Icon } from '../ui/icon.tsx'
import { say } from '../ui/say.ts'
import { brandName } from './card-rules.ts'

export const ChargedTo = ({ card }: { card: PaymentMethod }) => (
  <>
    <Icon name="credit-card" className="text-ink-soft" />
    <span>
      {say('Charged to your {brand} {digits}', {
        brand: brandName(card.brand),
        digits: <span className="font-medium whitespace-nowrap tabular-nums">•••• {card.last4}</span>,
      })}
    </span>
  </>
)
