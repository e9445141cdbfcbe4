import { ownPage } from './own-page.tsx'
import { Profile } from './profile/profile.tsx'
import { wake } from './shell/woken.tsx'

wake(ownPage(Profile))
