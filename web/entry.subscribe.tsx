import { subscribe } from './joining/subscribe.tsx'
import { hydrate } from './shell/hydrated-page.tsx'

hydrate(subscribe)
