import { purchase } from './checkout/purchase.tsx'
import { wake } from './shell/woken.tsx'

wake(purchase)
