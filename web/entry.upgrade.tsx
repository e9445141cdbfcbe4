import { upgrade } from './joining/upgrade.tsx'
import { wake } from './shell/woken.tsx'

wake(upgrade)
