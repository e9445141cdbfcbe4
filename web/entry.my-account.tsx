import { ownPage } from './own-page.tsx'
import { MyAccount } from './my-account/my-account.tsx'
import { wake } from './shell/woken.tsx'

wake(ownPage(MyAccount))
