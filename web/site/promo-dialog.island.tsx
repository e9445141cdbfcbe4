import { useEffect, useRef, useState } from 'react'
import { asksConsent } from '../lib/analytics.ts'
import { choices, choose, keep } from '../lib/session.ts'

interface Offer {
  /** The promo code in the address. */
  promo: string | null
  offer: string
  percent: number
  prices: Record<'annually' | 'monthly', { now: string; full: string }>
}

/** Each code is offered once. A browser without storage shows it every time. */
function seen(code: string): boolean {
  if (choices()['promoSeen'] === code) return true
  choose({ promoSeen: code })
  return false
}

/** Opens once automatically for visitors with a code. For visitors without one, it opens when they press a plan. */
export default function PromoDialog({ promo, offer, percent, prices }: Offer) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [plan, setPlan] = useState<'annually' | 'monthly'>()

  // A plan looks like a button, so Space presses it too.
  useEffect(() => {
    const space = (event: KeyboardEvent) => {
      if (event.key !== ' ' || !(event.target as Element).matches('[data-plan]')) return
      event.preventDefault()
      ;(event.target as HTMLElement).click()
    }
    document.addEventListener('keydown', space)
    return () => document.removeEventListener('keydown', space)
  }, [])

  useEffect(() => {
    // Members aren't offered what they already have.
    if (document.documentElement.hasAttribute('data-member')) return
    if (promo) {
      keep('promo', promo)
      const show = () => {
        if (!seen(promo)) dialog.current?.showModal()
      }
      if (!asksConsent()) return show()
      document.addEventListener('consent', show, { once: true })
      return () => document.removeEventListener('consent', show)
    }
    const press = (event: MouseEvent) => {
      const card = (event.target as Element).closest<HTMLElement>('[data-plan]')
      if (!card || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      setPlan(card.dataset['plan'] as 'annually' | 'monthly')
      // Once its links are there, because the first of them gets the focus.
      setTimeout(() => dialog.current?.showModal())
    }
    document.addEventListener('click', press)
    return () => document.removeEventListener('click', press)
  }, [promo])

  const button =
    'grid min-h-12 w-full place-items-center rounded-full border px-6 text-center font-semi no-underline'
  return (
    <dialog
      ref={dialog}
      aria-labelledby="promo-title"
      className="m-auto w-[calc(100%-32px)] max-w-[448px] rounded-panel bg-card p-6 text-ink shadow-float backdrop:bg-scrim"
    >
      <div className="stack gap-4">
        <div className="flex items-start justify-between gap-3">
          <h2 id="promo-title" className="t28">
            {promo ? `Your code takes ${percent}% off` : `${percent}% off to begin with`}
          </h2>
          <button
            type="button"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
            className="-m-2 grid size-11 flex-none place-items-center rounded-full hover:bg-green-soft focus-visible:rounded-full"
          >
            <svg width={24} height={24} viewBox="0 0 24 24" aria-hidden="true" className="drawn">
              <path d="M18 6 6 18M6 6l12 12" />
            </svg>
          </button>
        </div>
        {!plan ? (
          <>
            <p>Code {promo} applies to the first payment. The prices on this page already include it.</p>
            <button
              type="button"
              // The first Tab stop is the dialog's main button, not its Close button.
              autoFocus
              onClick={() => dialog.current?.close()}
              className={`${button} border-transparent bg-green text-on-green`}
            >
              See the plans
            </button>
          </>
        ) : (
          <>
            <p>
              With code {offer} the first {plan === 'annually' ? 'year' : 'month'} is {prices[plan].now}{' '}
              instead of {prices[plan].full}.
            </p>
            <a
              autoFocus
              href={`/subscribe/${offer}?plan=${plan}`}
              className={`${button} border-transparent bg-green text-on-green`}
            >
              Use the code and join
            </a>
            <a href={`/subscribe?plan=${plan}`} className={`${button} border-line-strong bg-card text-ink`}>
              Join for {prices[plan].full}
            </a>
          </>
        )}
      </div>
    </dialog>
  )
}
