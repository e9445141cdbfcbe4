import { ownPage } from './own-page.tsx'
import { Care } from './pets/care.tsx'
import { wake } from './shell/woken.tsx'

wake(ownPage(Care))
