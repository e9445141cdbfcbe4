import { upgrade } from './joining/upgrade.tsx'
import { hydrate } from './shell/hydrated-page.tsx'

hydrate(upgrade)
