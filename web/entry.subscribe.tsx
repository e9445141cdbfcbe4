import { subscribe } from './joining/subscribe.tsx'
import { wake } from './shell/woken.tsx'

wake(subscribe)
