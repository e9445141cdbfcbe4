import type { Ref } from 'react'
import type { CardHandle, OnCardTrouble } from './card-handle.ts'
import { useSite } from '../lib/site.ts'
import { Icon } from '../ui/icon.tsx'
import { Note } from '../ui/note.tsx'
import { say } from '../ui/say.ts'
import { ProviderCard } from './provider-card.tsx'
import { TestCard } from './test-card.tsx'
import type { Pays } from './wallet.tsx'

/** The card fields, with a wallet button once the amount is known. Only the payment provider gets what is typed. */
export function CardForm({
  ref,
  pays,
  onWrong,
}: {
  ref: Ref<CardHandle>
  pays?: Pays | undefined
  onWrong?: OnCardTrouble
}) {
  const { cardKey, takesCards } = useSite()
  if (!takesCards)
    return (
      <Note tone="wait" icon="credit-card" title={say('We’re not taking payments right now')}>
        {say('Nothing has been charged. Please come back later.')}
      </Note>
    )
  if (cardKey === null) return <TestCard ref={ref} onWrong={onWrong} />
  return (
    <div className="stack gap-5">
      <ProviderCard ref={ref} cardKey={cardKey} pays={pays} onWrong={onWrong} />
      <p className="flex items-start gap-2 text-14 text-ink-soft">
        <Icon name="lock" size={16} className="mt-[3px]" />
        {say('Your card goes straight to Stripe. We never see or keep the number.')}
      </p>
    </div>
  )
}
