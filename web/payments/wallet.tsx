import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Currency } from '#contract/regions.ts'
import { useRegion } from '../lib/site.ts'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/say.ts'
import { loadStripe, type WalletRequest } from './stripe.ts'

export interface Pays {
  amount: number
  currency: Currency
}

interface Props {
  cardKey: string
  pays: Pays
  /** The wallet has provided a card that can be charged. */
  holds: boolean
  onToken: (token: string | undefined) => void
}

/** Apple Pay or Google Pay, if the browser has one with a card in it; otherwise nothing. */
export function Wallet({ cardKey, pays: { amount, currency }, holds, onToken }: Props) {
  const { country } = useRegion()
  const [there, setThere] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const request = useRef<WalletRequest>(undefined)
  const given = useEffectEvent(onToken)
  const asks = useEffectEvent(() => ({ country, currency, total: totalOf(amount) }))

  useEffect(() => {
    let left = false
    let button: { destroy: () => void } | undefined
    async function build() {
      const stripe = await loadStripe(cardKey)
      if (left) return
      const wallet = stripe.paymentRequest({ ...asks(), disableWallets: ['link', 'browserCard'] })
      if (!(await wallet.canMakePayment()) || left) return
      wallet.on('token', ({ token, complete }) => {
        // Closes the sheet. The page then says whether the payment worked.
        complete('success')
        given(token.id)
      })
      const made = stripe
        .elements({ locale: 'en' })
        .create('paymentRequestButton', { paymentRequest: wallet })
      made.mount(place.current!)
      button = made
      request.current = wallet
      // A coupon may have been added meanwhile.
      wallet.update({ total: asks().total })
      setThere(true)
    }
    // Without a wallet there are still the card fields, so no error is shown.
    build().catch(() => {})
    return () => {
      left = true
      request.current = undefined
      button?.destroy()
    }
  }, [cardKey])
  useEffect(() => request.current?.update({ total: totalOf(amount) }), [amount])

  return (
    <div className={there ? 'stack gap-5' : 'hidden'}>
      <div className={holds ? 'hidden' : 'stack gap-5'}>
        <div ref={place} className="min-h-12" />
        <p className="flex items-center gap-3 text-14 text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {say('or pay by card')}
        </p>
      </div>
      {holds && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status">{say('Using the card from your wallet.')}</p>
          <Button variant="text" size={44} onClick={() => onToken(undefined)}>
            {say('Enter a card instead')}
          </Button>
        </div>
      )}
    </div>
  )
}

const totalOf = (amount: number) => ({ label: 'VetChat', amount })
