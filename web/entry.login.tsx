import { ownPage } from './own-page.tsx'
import { Login } from './accounts/login.tsx'
import { wake } from './shell/woken.tsx'

wake(ownPage(Login))
