import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import { CardFrame } from '../ui/card-field.tsx'
import type { Refusal } from '../ui/form.tsx'
import { say, sentence, type Sentence } from '../ui/say.ts'
import type { CardHandle, OnCardTrouble } from './card-handle.ts'
import { type Pays, Wallet } from './wallet.tsx'
import { type CardElement, type CardPart, loadStripe, type Stripe } from './stripe.ts'

const PARTS: { part: CardPart; label: Sentence; help?: Sentence; missing: Sentence | string }[] = [
  { part: 'cardNumber', label: sentence('Card number'), missing: sentenceOf('CARD_MISSING') },
  {
    part: 'cardExpiry',
    label: sentence('Expiry date'),
    help: sentence('MM / YY'),
    missing: sentence('Enter the expiry date.'),
  },
  {
    part: 'cardCvc',
    label: sentence('Security code'),
    help: sentence('On the back'),
    missing: sentence('Enter the security code.'),
  },
]

interface Shown {
  ready?: boolean
  focused?: boolean
  complete?: boolean
  error?: string
}
type All = { [Part in CardPart]: Shown }
const NONE: All = { cardNumber: {}, cardExpiry: {}, cardCvc: {} }

/** The frames can't see our style sheet, so we pass them its colours. */
function look() {
  const css = getComputedStyle(document.documentElement)
  const color = (name: string) => css.getPropertyValue(name).trim()
  const size = Number.parseFloat(css.fontSize)
  const base = {
    color: color('--color-ink'),
    fontSize: `${size}px`,
    lineHeight: `${1.5 * size}px`,
    iconColor: color('--color-ink-soft'),
  }
  return { base, invalid: { color: color('--color-red'), iconColor: color('--color-red') } }
}

/** The payment provider's fields, in its own frames: our scripts can't read them. */
export function ProviderCard({
  ref,
  cardKey,
  pays,
  onWrong,
}: {
  ref: Ref<CardHandle>
  cardKey: string
  pays: Pays | undefined
  onWrong?: OnCardTrouble | undefined
}) {
  const group = useRef<HTMLDivElement>(null)
  const [wallet, setWallet] = useState<string>()
  const [tries, setTries] = useState(0)
  const [failed, setFailed] = useState(false)
  const [shown, setShown] = useState(NONE)
  const places = useRef<{ [Part in CardPart]?: HTMLDivElement | null }>({})
  const live = useRef<{ stripe: Stripe; elements: Map<CardPart, CardElement> }>(undefined)

  useEffect(() => {
    let left = false
    const elements = new Map<CardPart, CardElement>()
    const change = (part: CardPart, news: Shown) =>
      left || setShown((all) => ({ ...all, [part]: { ...all[part], ...news } }))
    async function build() {
      const stripe = await loadStripe(cardKey)
      if (left) return
      const makes = stripe.elements({ locale: 'en' })
      for (const { part } of PARTS) {
        const element = makes.create(part, {
          style: look(),
          placeholder: '',
          ...(part === 'cardNumber' && { showIcon: true, disableLink: true }),
        })
        elements.set(part, element)
        element.on('ready', () => change(part, { ready: true }))
        element.on('focus', () => change(part, { focused: true }))
        element.on('blur', () => change(part, { focused: false }))
        element.on('loaderror', () => left || setFailed(true))
        element.on('change', ({ complete, error }) => change(part, { complete, error: error?.message }))
        element.mount(places.current[part]!)
      }
      live.current = { stripe, elements }
    }
    build().catch(() => left || setFailed(true))
    return () => {
      left = true
      live.current = undefined
      for (const element of elements.values()) element.destroy()
    }
  }, [cardKey, tries])

  const tell = useEffectEvent((all: All) =>
    onWrong?.(
      PARTS.flatMap(({ part }) => {
        const message = all[part].error
        const focus = () => live.current?.elements.get(part)?.focus()
        return message && !wallet ? [{ name: part, message, focus }] : []
      }),
    ),
  )
  useEffect(() => tell(shown), [shown, wallet])

  useImperativeHandle(ref, () => {
    /** The incomplete parts, after showing the error beside each. */
    function judge() {
      if (wallet) return []
      const lacking = PARTS.filter(({ part }) => !shown[part].complete)
      const said = lacking.map(({ part, missing }) => {
        const now = shown[part]
        return [part, { ...now, error: now.error ?? say(missing) }] as const
      })
      if (lacking.length > 0) setShown((all) => ({ ...all, ...Object.fromEntries(said) }))
      return lacking
    }
    return {
      judge: () => void judge(),
      async token() {
        if (wallet) {
          // A token works for one attempt.
          setWallet(undefined)
          return wallet
        }
        const { stripe, elements } = live.current ?? {}
        if (!stripe || !elements)
          throw { errors: [say('The card field hasn’t loaded yet. Please try again.')] } satisfies Refusal
        const lacking = judge()
        if (lacking[0]) {
          elements.get(lacking[0].part)?.focus()
          throw { errors: [] } satisfies Refusal
        }
        const { token, error } = await stripe.createToken(elements.get('cardNumber')!)
        if (!token) throw { errors: [error?.message ?? sentenceOf('CARD_MISSING')] } satisfies Refusal
        return token.id
      },
    }
  }, [shown, wallet])

  // Confirming in the wallet counts as pressing Pay.
  useEffect(() => (wallet ? group.current?.closest('form')?.requestSubmit() : undefined), [wallet])

  const frame = ({ part, label, help }: (typeof PARTS)[number]) => {
    const { ready, focused, error } = shown[part]
    return (
      <CardFrame
        label={say(label)}
        help={help && say(help)}
        ref={(place) => void (places.current[part] = place)}
        state={failed ? 'failed' : ready ? 'ready' : 'loading'}
        focused={focused}
        error={error}
        onRetry={() => {
          setFailed(false)
          setShown(NONE)
          setTries(tries + 1)
        }}
      />
    )
  }
  const [number, expiry, code] = PARTS

  return (
    <div ref={group} role="group" aria-label={say('Card')} className="stack gap-5">
      {pays && <Wallet cardKey={cardKey} pays={pays} holds={wallet !== undefined} onToken={setWallet} />}
      <div className={wallet ? 'hidden' : 'stack gap-5'}>
        {frame(number!)}
        <div className={failed ? 'hidden' : 'grid grid-cols-2 items-start gap-4'}>
          {frame(expiry!)}
          {frame(code!)}
        </div>
      </div>
    </div>
  )
}
