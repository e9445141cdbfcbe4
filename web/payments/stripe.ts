/** The parts of the provider's script that we use. It may only be loaded from the provider's address. */
export interface Stripe {
  elements(options?: { locale?: string }): Elements
  createToken(element: CardElement): Promise<{ token?: { id: string }; error?: ProviderError }>
  paymentRequest(options: WalletOptions): WalletRequest
  handleNextAction(options: { clientSecret: string }): Promise<{ error?: ProviderError }>
}

export interface Elements {
  create(kind: CardPart, options: object): CardElement
  create(kind: 'paymentRequestButton', options: { paymentRequest: WalletRequest }): WalletButton
}

interface Total {
  total: { label: string; amount: number }
}
interface WalletOptions extends Total {
  country: string
  currency: string
  disableWallets: string[]
}

/** A payment with the browser's or the phone's wallet. */
export interface WalletRequest {
  /** The wallets that can pay here, or null. */
  canMakePayment(): Promise<object | null>
  update(change: Total): void
  on(event: 'token', listen: (paid: WalletToken) => void): void
}

interface WalletToken {
  token: { id: string }
  complete(how: 'success' | 'fail'): void
}
type WalletButton = Pick<CardElement, 'mount' | 'destroy'>

export type CardPart = 'cardNumber' | 'cardExpiry' | 'cardCvc'

export interface CardElement {
  mount(place: HTMLElement): void
  destroy(): void
  focus(): void
  on(event: 'change', listen: (change: CardChange) => void): void
  on(event: 'ready' | 'focus' | 'blur' | 'loaderror', listen: () => void): void
}

export interface CardChange {
  complete: boolean
  error?: ProviderError
}

interface ProviderError {
  message?: string
}

declare global {
  interface Window {
    Stripe?: (key: string) => Stripe
  }
}

const ADDRESS = 'https://js.stripe.com/v3/'

let loading: Promise<Stripe> | undefined

/** Loads the provider's script once. A failed load is retried at the next call. */
export function loadStripe(key: string): Promise<Stripe> {
  loading ??= new Promise<Stripe>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = ADDRESS
    script.addEventListener('load', () =>
      window.Stripe ? resolve(window.Stripe(key)) : reject(new Error('no card script')),
    )
    script.addEventListener('error', () => {
      script.remove()
      loading = undefined
      reject(new Error('no card script'))
    })
    document.head.append(script)
  })
  return loading
}
