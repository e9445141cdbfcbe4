import { purchase } from './checkout/purchase.tsx'
import { hydrate } from './shell/hydrated-page.tsx'

hydrate(purchase)
