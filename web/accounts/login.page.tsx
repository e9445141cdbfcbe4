import type { LoaderFunctionArgs } from 'react-router'
import { ownPage } from '../own-page.tsx'
import { pageMeta } from '../lib/meta.ts'
import { draw } from '../shell/draw.ts'
import { Drawn } from '../shell/drawn.tsx'
import { say } from '../ui/say.ts'
import { Login } from './login.tsx'

export const meta = () =>
  pageMeta(say('Login'), say('Sign in to talk to a vet and see your pets and their history.'))

export const loader = (args: LoaderFunctionArgs) => draw(args, {}, ownPage(Login))

export default Drawn
