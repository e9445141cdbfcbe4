import { ownPage } from './own-page.tsx'
import { Profile } from './profile/profile.tsx'
import { hydrate } from './shell/hydrated-page.tsx'

hydrate(ownPage(Profile))
