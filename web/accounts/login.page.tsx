import type { LoaderFunctionArgs } from 'react-router'
import { ownPage } from '../own-page.tsx'
import { pageMeta } from '../lib/meta.ts'
import { renderPage } from '../shell/render-page.ts'
import { RenderedHtml } from '../shell/rendered-html.tsx'
import { say } from '../ui/say.ts'
import { Login } from './login.tsx'

export const meta = () =>
  pageMeta(say('Login'), say('Sign in to talk to a vet and see your pets and their history.'))

export const loader = (args: LoaderFunctionArgs) => renderPage(args, {}, ownPage(Login))

export default RenderedHtml
