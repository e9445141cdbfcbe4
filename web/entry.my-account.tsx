import { ownPage } from './own-page.tsx'
import { MyAccount } from './my-account/my-account.tsx'
import { hydrate } from './shell/hydrated-page.tsx'

hydrate(ownPage(MyAccount))
