import type { LoaderFunctionArgs } from 'react-router'
import { ownPage } from '../own-page.tsx'
import { pageMeta } from '../lib/meta.ts'
import { renderPage } from '../shell/render-page.ts'
import { RenderedHtml } from '../shell/rendered-html.tsx'
import { say } from '../ui/say.ts'
import { Profile } from './profile.tsx'

export const meta = () => pageMeta(say('Profile'), say('Your details, password, card and data.'))

export const loader = (args: LoaderFunctionArgs) => renderPage(args, {}, ownPage(Profile))

export default RenderedHtml
