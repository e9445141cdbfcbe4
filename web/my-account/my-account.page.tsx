import type { LoaderFunctionArgs } from 'react-router'
import { ownPage } from '../own-page.tsx'
import { pageMeta } from '../lib/meta.ts'
import { draw } from '../shell/draw.ts'
import { Drawn } from '../shell/drawn.tsx'
import { say } from '../ui/say.ts'
import { MyAccount } from './my-account.tsx'

export const meta = () => pageMeta(say('My account'), say('Your pets, consultations and membership.'))

export const loader = (args: LoaderFunctionArgs) => draw(args, {}, ownPage(MyAccount))

export default Drawn
