/** What we use of the provider's own script, which only its address may serve. */
export interface Stripe {
  elements(options?: { locale?: string }): Elements
  createToken(element: CardElement): Promise<{ token?: { id: string }; error?: ProviderError }>
  handleNextAction(options: { clientSecret: string }): Promise<{ error?: ProviderError }>
}

export interface Elements {
  create(kind: CardPart, options: object): CardElement
}

export type CardPart = 'cardNumber' | 'cardExpiry' | 'cardCvc'

export interface CardElement {
  mount(place: HTMLElement): void
  destroy(): void
  focus(): void
  update(options: object): void
  on(event: 'change', listen: (change: CardChange) => void): void
  on(event: 'ready' | 'focus' | 'blur' | 'loaderror', listen: () => void): void
}

export interface CardChange {
  empty: boolean
  complete: boolean
  brand?: string
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

/** Loads the provider's script, once; what failed is asked for anew. */
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
