import type { LoaderFunctionArgs } from 'react-router'
import { ownPage } from '../own-page.tsx'
import { pageMeta } from '../lib/meta.ts'
import { draw } from '../shell/draw.ts'
import { Drawn } from '../shell/drawn.tsx'
import { say } from '../ui/say.ts'
import { Profile } from './profile.tsx'

export const meta = () => pageMeta(say('Profile'), say('Your details, password, card and data.'))

export const loader = (args: LoaderFunctionArgs) => draw(args, {}, ownPage(Profile))

export default Drawn
