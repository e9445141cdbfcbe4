import { ownPage } from './own-page.tsx'
import { Login } from './accounts/login.tsx'
import { hydrate } from './shell/hydrated-page.tsx'

hydrate(ownPage(Login))
