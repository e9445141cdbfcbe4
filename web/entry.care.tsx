import { ownPage } from './own-page.tsx'
import { Care } from './pets/care.tsx'
import { hydrate } from './shell/hydrated-page.tsx'

hydrate(ownPage(Care))
