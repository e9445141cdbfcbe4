import type { Ref } from 'react'
import { useSite } from '../lib/site.ts'
import type { CardHandle, OnCardTrouble } from '../payments/card-handle.ts'
import type { Pays } from '../payments/wallet.tsx'
import { CardFrame } from '../ui/card-field.tsx'
import { Failed } from '../ui/empty.tsx'
import { useLate } from '../ui/late.ts'
import { say } from '../ui/say.ts'
import { Skeleton } from '../ui/skeleton.tsx'

const load = () => import('../payments/card-form.tsx')

interface CardPartProps {
  ref: Ref<CardHandle>
  /** Absent if nothing is paid today; a wallet needs a sum. */
  pays: Pays | undefined
  resets: boolean
  /** Called with what is wrong with the card, for the form's list. */
  onWrong?: OnCardTrouble
}

/** The card fields load after the page. Their space is reserved, so nothing moves. */
export function CardPart({ ref, pays, resets, onWrong }: CardPartProps) {
  const { part, isError, refetch } = useLate(load)
  if (isError) return <Failed what={say('the card field')} onRetry={refetch} />
  if (part && !resets) return <part.CardForm ref={ref} pays={pays} onWrong={onWrong} />
  return <CardPlace says={resets ? say('Reloading the card field…') : say('Loading the card field…')} />
}

function CardPlace({ says }: { says: string }) {
  const { cardKey } = useSite()
  return (
    <div aria-busy="true" className="stack gap-5">
      <p role="status" className="sr-only">
        {says}
      </p>
      <CardFrame label={say('Card number')} state="loading" />
      <div className="grid grid-cols-2 items-start gap-4">
        <CardFrame label={say('Expiry date')} help={say('MM / YY')} state="loading" />
        <CardFrame
          label={say('Security code')}
          help={cardKey === null ? say('3 digits, on the back') : say('On the back')}
          state="loading"
        />
      </div>
      {cardKey === null ? (
        <Skeleton className="h-[132px] rounded-card xs:h-[108px]" />
      ) : (
        <Skeleton className="h-5 max-w-96" />
      )}
    </div>
  )
}
